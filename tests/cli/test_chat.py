"""rlx chat and rlx run at a terminal: pasted lines, commands, Markdown, what moves before the model is there."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import select
import subprocess
import sys
import time

import pytest

from tests.cli.test_models import command, model  # noqa: F401  fixtures

pytest.importorskip("prompt_toolkit")


class Terminal:
    """A command in a pseudo-terminal: what it shows, and typing."""

    def __init__(self, *words: str, home) -> None:
        self.screen = ""
        ours, theirs = pty.openpty()
        environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24", "PROMPT_TOOLKIT_NO_CPR": "1"}
        environment |= {"XDG_STATE_HOME": str(home)}
        self.begun = time.perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "rlx", *words],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment,
            start_new_session=True,
        )
        os.close(theirs)
        self._file = ours

    def wait_for(self, pattern: str, seconds: float = 120) -> str:
        """Read until the screen matches; what was read is forgotten."""
        end = time.perf_counter() + seconds
        while not (found := re.search(pattern, self.screen)):
            assert time.perf_counter() < end, f"{pattern!r} did not come; the screen: {self.screen!r}"
            if select.select([self._file], [], [], 0.2)[0]:
                try:
                    self.screen += os.read(self._file, 65536).decode(errors="replace")
                except OSError:
                    assert re.search(pattern, self.screen), f"ended without {pattern!r}: {self.screen!r}"
        seen, self.screen = self.screen[: found.end()], self.screen[found.end() :]
        return seen

    def type(self, text: str) -> None:
        os.write(self._file, text.encode())

    def paste(self, text: str) -> None:
        self.type(f"\x1b[200~{text}\x1b[201~")

    def end(self) -> int:
        code = self.process.wait(30)
        os.close(self._file)
        return code


SPEED = r"tokens?[^\]]*\][^>]*>"  # the line after an answer, and the next prompt


def test_pasted_lines_are_one_message(model, tmp_path):  # noqa: F811
    """Three pasted lines were three messages, each answered. History outlives the session, readable by its owner alone."""
    saved = tmp_path / "talk.json"
    shell = Terminal("run", model, "--max-tokens", "3", home=tmp_path)
    assert "starting" in shell.wait_for("/help lists commands")
    shell.wait_for(">")
    shell.paste("one\ntwo\nthree")
    shell.type("\r")
    shell.wait_for(SPEED)
    shell.type('"""four\rfive"""\r')
    shell.wait_for(SPEED)
    shell.type("six\x1b\rseven\r")
    shell.wait_for(SPEED)
    shell.type("not sent\x03")
    shell.wait_for("to leave[^>]*>")
    shell.type(f"/save {saved}\r/bye\r")
    assert shell.end() == 0
    asked = [one["content"] for one in json.loads(saved.read_text()) if one["role"] == "user"]
    assert asked == ["one\ntwo\nthree", "four\nfive", "six\nseven"]
    history = tmp_path / "rlx" / "chat_history"
    assert history.stat().st_mode & 0o077 == 0
    shell = Terminal("chat", model, "--max-tokens", "3", home=tmp_path)
    shell.wait_for(">")
    shell.type("\x1b[A\x1b[A\r")  # up, up: the message before /bye and /save is found by going on
    shell.wait_for(r"/save|six")
    shell.type("\x04")
    shell.process.kill()
    shell.end()


def test_something_moves_before_numpy_is_imported(model, tmp_path):  # noqa: F811
    code = "import sys; from rlx.cli.starting import starting; starting.show('run'); print('numpy' in sys.modules, 'rich' in sys.modules)"
    ours, theirs = pty.openpty()
    done = subprocess.run([sys.executable, "-c", code], stderr=theirs, stdout=subprocess.PIPE, text=True, timeout=60)
    assert done.stdout.split() == ["False", "False"] and "starting" in os.read(ours, 1000).decode()
    os.close(ours)
    os.close(theirs)


def test_the_times_add_up(model, tmp_path):  # noqa: F811
    """A cold `rlx run` said "first token after 14.76 s" where the whole process took 9.79."""
    environment = {**os.environ, "RLX_CACHE_DIR": str(tmp_path)}
    begun = time.perf_counter()
    words = [sys.executable, "-m", "rlx", "run", model, "Hi", "--max-tokens", "2", "--json"]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=300)
    took = time.perf_counter() - begun
    times = json.loads(done.stdout)["timings"]
    assert 0.5 * took < times["loading"] < times["first_token"] < took, (times, took)


def test_run_reads_a_pipe_and_joins_words(command, model):  # noqa: F811
    whole = json.loads(command("run", model, "Hello you", "--temperature", 0, "--max-tokens", 2, "--json")[0])
    piped = json.loads(command("run", model, "--temperature", 0, "--max-tokens", 2, "--json", typed="Hello you")[0])
    mixed = json.loads(command("run", model, "Hello", "-", "--temperature", 0, "--max-tokens", 2, "--json", typed="you")[0])
    assert whole["ids"] == piped["ids"] == mixed["ids"] and whole["prompt_tokens"] == mixed["prompt_tokens"]
    assert "the prompt is empty" in command("run", model, code=1, typed=" \n")[1]


def test_settings_are_changed_and_answers_repeated(command, model, tmp_path):  # noqa: F811
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    typed = f"Hello\n/set temperature 0\n/set temperature -1\n/set nonsense 1\n/regen\n/save {first}\n/set max_tokens 2\n/regen\n"
    typed += f"/save {second}\n/load {tmp_path}/nothing.gguf\n/load {first}\n/regen\n/set\n/set max_tokens\n/bye\nnever read\n"
    _, err = command("chat", model, "--max-tokens", 5, "--seed", 1, typed=typed)
    assert "temperature is -1" in err and "no sampling setting 'nonsense'" in err and "nothing.gguf" in err
    assert "2 messages" in err and "max_tokens 2 (off: None)" in err and "never" not in err
    for file in (first, second):
        assert [one["role"] for one in json.loads(file.read_text())] == ["user", "assistant"]
    assert err.count("· 5 tokens") == 2 and err.count("· 2 tokens") == 2


def test_another_model_goes_on_with_the_conversation(command, model, tmp_path):  # noqa: F811
    saved = tmp_path / "talk.json"
    _, err = command("chat", model, "--max-tokens", 2, typed=f"Hello\n/load {model}\nAnd?\n/save {saved}\n")
    assert len(json.loads(saved.read_text())) == 4 and err.count("/help lists commands") == 2


def test_quoted_messages_in_a_pipe(command, model, tmp_path):  # noqa: F811
    saved = tmp_path / "talk.json"
    command("chat", model, "--max-tokens", 2, typed=f'"""one\n\n/two\n"""\nthree\n/save {saved}\n')
    asked = [one["content"] for one in json.loads(saved.read_text()) if one["role"] == "user"]
    assert asked == ["one\n\n/two", "three"]


def test_markdown_shows_every_word_of_an_answer():
    """Tags, single line ends and half-finished blocks stay; long code is shown whole; lines break between words."""
    from rich.console import Console

    from rlx.cli.markdown import show_markdown

    code = "\n".join(f"line {number}" for number in range(60))
    text = (
        f"# Title\n\nfirst line\nsecond **bold** <think>tag</think>\n\n1. one\n\n2. two\n\n```python\n{code}\n\nlast\n```\n\n"
        + "word " * 40
    )
    for size in (1, 7, len(text)):
        out = io.StringIO()
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        show_markdown(pieces, Console(file=out, width=40, height=20))
        shown = out.getvalue()
        for words in ("Title", "first line", "second bold <think>tag</think>", "1 one", "2 two", "line 0", "line 59", "last"):
            assert shown.count(words) == 1 or words in ("line 0", "last"), (words, shown)
        assert shown.count("word") == 40 and max(map(len, shown.splitlines())) <= 40
        assert "first line\n" in re.sub(" +\n", "\n", shown)


def test_an_answer_that_is_stopped_is_shown():
    from rich.console import Console

    from rlx.cli.markdown import show_markdown

    def pieces():
        yield "half of "
        raise KeyboardInterrupt

    out = io.StringIO()
    with pytest.raises(KeyboardInterrupt):
        show_markdown(pieces(), Console(file=out, width=40))
    assert "half of" in out.getvalue()


def test_help_has_a_short_form_and_a_newcomers_order(command):  # noqa: F811
    out, _ = command("-h")
    order = [out.index(f" {name} ") for name in ("run", "chat", "serve", "inspect", "train", "doctor")]
    assert order == sorted(order)
    assert "--temperature" in command("run", "-h")[0]
