"""rlx pull, list, rm, cache, and the question before a download, as a person meets them."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rlx.core import this_process as free_memory
from rlx.core.errors import RlxError
from rlx.formats.safetensors import write_safetensors
from rlx.hub import find_model, parse_name
from rlx.hub.pull import plan, skeleton
from tests.cli.test_models import write_model
from tests.hub.loopback import SHA, sha256
from tests.hub.test_pull import OTHER, SOURCE, bodies, cache, home, hub, pull, registry  # noqa: F401  fixtures

pytest.importorskip("typer")
pytest.importorskip("rich")


@pytest.fixture
def command(monkeypatch, capsys):
    from rlx.cli import main

    def run(*words, code=0):
        monkeypatch.setenv("COLUMNS", "250")
        monkeypatch.setattr(sys, "argv", ["rlx", *map(str, words)])
        with pytest.raises(SystemExit) as left:
            main()
        out, err = capsys.readouterr()
        assert (left.value.code or 0) == code, out + err
        return out, err

    return run


@pytest.fixture
def tiny(hub, home):  # noqa: F811
    """A small model that runs, at the hub."""
    content = Path(write_model(home.parent / "made.gguf")).read_bytes()
    hub.repos["org/tiny"] = {"tiny-F32.gguf": content, "tiny-Q8_0.gguf": OTHER}
    return content


# -- pull -----------------------------------------------------------------------------------------------------------------
def test_pull_says_what_comes_where_and_whether_it_fits(command, tiny, home, hub):  # noqa: F811
    out, err = command("pull", "org/tiny:f32")
    path = Path(out.strip())
    assert path.read_bytes() == tiny and path.is_relative_to(cache(home, "org/tiny"))
    assert "org/tiny:f32: " in err and " kB" in err and " free" in err
    assert "llama, 2 layers: fits" in err and "full context of 128 tokens" in err
    asked = len(bodies(hub))
    assert command("pull", "org/tiny:f32")[0] == out and len(bodies(hub)) == asked
    assert command("pull", out.strip())[0] == out
    assert "missing" not in command("pull", "org/tiny:f32", "--dry-run")[1]
    assert ".gguf" in command("pull", "smollm2")[0]


def test_pull_of_what_rlx_cannot_run_ends_before_the_download(command, hub, home):  # noqa: F811
    hub.repos["org/odd"] = {"config.json": json.dumps({"architectures": ["OddForCausalLM"]}).encode(), "model.safetensors": b""}
    write_safetensors(home.parent / "w", {})
    hub.repos["org/odd"]["model.safetensors"] = (home.parent / "w").read_bytes()
    assert "RLX704" in command("pull", "org/odd", code=1)[1]
    hub.repos["org/odd"] = {"m-Q4_K_M.gguf": b"not a model" * 1000}
    assert "not b'GGUF'" in command("pull", "org/odd", code=1)[1]
    assert not home.exists()


@pytest.mark.parametrize("free", [10**12, 250_000, 1000])
def test_the_context_that_fits_is_the_models_own_memory(tiny, monkeypatch, free):
    from rlx.cli import pull as module
    from rlx.cli.inspect_models import estimate_memory
    from rlx.generate.api import load_model

    path = pull("org/tiny:F32")
    model = load_model(path)
    monkeypatch.setattr(module, "free_memory", lambda: free)
    said = module.fit(path)

    def needs(context):
        return sum(estimate_memory(model, context).values())

    if free == 10**12:
        assert "full context of 128" in said
    elif free == 1000:
        assert "does not fit" in said
    else:
        length = int(said.partition("--context ")[2].rstrip(")"))
        assert 1 <= length < 128 and needs(128) > free


def test_a_header_is_a_small_part_of_a_file(hub, home, tmp_path):  # noqa: F811
    small = Path(write_model(home.parent / "made.gguf")).read_bytes()
    large = small + bytes(5_000_000)
    hub.repos["org/large"] = {"m-F32.gguf": large}
    download = plan(parse_name("org/large"))
    before = hub.sent
    path = skeleton(download, tmp_path)
    assert path.stat().st_size == len(large) and hub.sent - before < 1.2e6
    assert path.read_bytes()[: len(small) // 2] == small[: len(small) // 2]
    assert not cache(home, "org/large").exists()


def test_free_memory_is_a_number_of_this_machine():
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    assert 0 < free_memory.free_memory() <= total


# -- on first use ---------------------------------------------------------------------------------------------------------
def test_a_pipe_is_not_asked(command, tiny, hub, monkeypatch):  # noqa: F811
    _out, err = command("run", "org/tiny:F32", "hi", code=1)
    assert "rlx pull org/tiny:F32" in err and not hub.requests
    assert "temperature" in command("run", "org/tiny:F32", "hi", "--temperature", "-1", code=1)[1]


def test_yes_downloads_first(command, tiny):
    out, _err = command("inspect", "org/tiny:F32", "--json", "--yes")
    assert json.loads(out)["model"]["architecture"] == "llama"
    assert command("inspect", "-y", "hf.co/org/tiny:F32", "--json")[0] == out


def in_terminal(answer: bytes, *words: str) -> tuple[str, int]:
    """A command at a terminal of its own: what it printed after the answer to its question, and its exit code."""
    main, side = pty.openpty()
    running = subprocess.Popen([sys.executable, "-m", "rlx", *words], stdin=side, stdout=side, stderr=side, close_fds=True,
                               env={**os.environ, "PYTHONPATH": str(SOURCE), "TERM": "dumb", "COLUMNS": "200"})  # fmt: skip
    os.close(side)
    seen, end = b"", time.monotonic() + 60
    while time.monotonic() < end:
        try:
            seen += os.read(main, 4096)
        except OSError:
            break
        if answer and b"[Y/n]" in seen:
            os.write(main, answer)
            answer = b""
    os.close(main)
    return seen.decode(), running.wait(timeout=30)


def test_a_terminal_is_asked_once(tiny, hub):  # noqa: F811
    seen, code = in_terminal(b"n\n", "inspect", "org/tiny:F32")
    assert code == 1 and "Download it? [Y/n]" in seen and "fits" in seen
    with pytest.raises(RlxError, match="RLX708"):
        find_model("org/tiny:F32")
    seen, code = in_terminal(b"\n", "inspect", "org/tiny:F32")
    assert code == 0 and "Tensors by type" in seen and find_model("org/tiny:F32")


# -- list, rm, cache ------------------------------------------------------------------------------------------------------
def test_list_rm_and_sizes(command, tiny, registry, home):  # noqa: F811
    for name in ("org/tiny:F32", "org/tiny:Q8_0", f"ollama:{registry.host}/library/tiny"):
        pull(name)
    listed = {one["name"]: one for one in json.loads(command("list", "--json")[0])}
    assert listed["org/tiny/tiny-F32.gguf"]["size"] == len(tiny) and listed["tiny:latest"]["source"] == "ollama"
    assert "RLX907" in command("rm", "org/tiny:F32", code=1)[1]  # nobody to ask
    command("rm", "org/tiny:F32", "--yes")
    left = {path.name for path in (cache(home, "org/tiny") / "blobs").iterdir()}
    assert left == {sha256(OTHER)} and find_model("org/tiny") == find_model("org/tiny:Q8_0")
    command("rm", "org/tiny", "--yes")
    assert not cache(home, "org/tiny").exists()
    assert "ollama" in command("cache")[0]
    command("rm", "tiny", "--yes")
    assert list((home / ".ollama/models/blobs").iterdir()) == []
    for name in ("org/tiny", "tiny", "nothing"):
        assert "RLX708" in command("rm", name, "--yes", code=1)[1]


def test_list_in_a_pipe_prints_one_line_for_each_model(command, tiny, monkeypatch):
    """A path was broken over three lines."""
    monkeypatch.setenv("COLUMNS", "40")
    path = pull("org/tiny:F32")
    known = json.loads(command("list", "--json")[0])
    lines = command("list")[0].splitlines()
    assert len(lines) == len(known)
    fields = {line.split("\t")[0]: line.split("\t") for line in lines}
    _name, _source, kind, size, where = fields["org/tiny/tiny-F32.gguf"]
    assert Path(where).samefile(path) and kind and size


def test_one_model_is_one_model(command, tiny):
    pull("org/tiny:F32")
    assert "1 files" not in command("cache", "verify")[0]


@pytest.mark.parametrize("name", [".", "/tmp", "smollm2", "made.gguf", "..", "~", "hf:org/../x"])
def test_rm_removes_no_paths_and_no_packages(command, tiny, name):
    err = command("rm", name, "--yes", code=1)[1]
    assert "RLX" in err and Path("made.gguf").exists() and find_model("smollm2").exists()


def test_verify_and_prune(command, tiny, home, hub):  # noqa: F811
    path = pull("org/tiny:F32")
    assert "1 file checked, 0 damaged" in command("cache", "verify")[0]
    blobs = cache(home, "org/tiny") / "blobs"
    (blobs / ("0" * 64 + ".incomplete")).write_bytes(b"x" * 5000)
    (blobs / ("1" * 64)).write_bytes(b"x" * 3000)
    (cache(home, "org/tiny") / "snapshots" / ("2" * 40)).mkdir()
    assert "8 kB" in command("cache")[0]
    assert "RLX907" in command("cache", "prune", code=1)[1]
    assert "removed 8 kB" in command("cache", "prune", "--yes")[0]
    assert [one.name for one in blobs.iterdir()] == [sha256(tiny)] and path.read_bytes() == tiny
    assert "nothing to remove" in command("cache", "prune", "--yes")[0]
    path.resolve().write_bytes(b"?" + tiny[1:])
    out, err = command("cache", "verify", code=1)
    assert "1 damaged" in out and "rlx rm org/tiny" in err
    assert (cache(home, "org/tiny") / "snapshots" / SHA).exists()
