"""rlx serve, rlx list, rlx ps: as a person runs them."""

from __future__ import annotations

import gc
import json
import os
import re
import shutil
import signal
import ssl
import subprocess
import sys
import threading
import time

import httpx
import pytest

from rlx.core.errors import RlxError
from rlx.hub import found_models
from rlx.serve.limits import ServeLimits
from rlx.serve.main import RlxServer, ServeSettings, aliases_of, bind, make_server, open_models, serve, warn
from rlx.serve.models import ModelList
from rlx.serve.state import ServerState
from tests.cli.test_models import write_model
from tests.serve.serving import TEMPLATES, echo, running, until

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


# -- list -------------------------------------------------------------------------------------------------------------------
def write(path, content=b"x" * 10):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())


def test_models_in_the_folders_of_other_programs(tmp_path, monkeypatch):
    for name in ("HF_HOME", "HF_HUB_CACHE", "OLLAMA_MODELS"):
        monkeypatch.delenv(name, raising=False)
    hub = tmp_path / ".cache/huggingface/hub/models--me--small/snapshots/abc"
    write(hub / "config.json", {"architectures": ["LlamaForCausalLM"]})
    write(hub / "model.safetensors", b"y" * 2000)
    write(tmp_path / ".cache/huggingface/hub/models--me--packed/snapshots/abc/a-00001-of-00002.gguf", b"z" * 30)
    write(tmp_path / ".cache/huggingface/hub/models--me--packed/snapshots/abc/a-00002-of-00002.gguf", b"z" * 40)
    layers = [{"mediaType": "application/vnd.ollama.image.model", "digest": "sha256:123"}]
    write(tmp_path / ".ollama/models/manifests/registry/library/tiny/latest", {"layers": layers})
    write(tmp_path / ".ollama/models/manifests/registry/library/broken/latest", b"{")
    write(tmp_path / ".ollama/models/blobs/sha256-123", b"o" * 77)
    write(tmp_path / ".lmstudio/models/you/file/q4.gguf", b"l" * 5)
    write(tmp_path / ".lmstudio/models/you/file/mmproj-q4.gguf")
    found = [(one.name, one.source, one.kind, one.size) for one in found_models(tmp_path) if one.source != "installed"]
    assert found == [
        ("me/packed/a-00001-of-00002.gguf", "huggingface", "gguf", 70),
        ("me/small", "huggingface", "LlamaForCausalLM", 2000),
        ("tiny:latest", "ollama", "gguf", 77),
        ("you/file/q4.gguf", "lmstudio", "gguf", 5),
    ]


def test_list_prints_a_table_or_json(command, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    write(tmp_path / ".lmstudio/models/you/file/q4.gguf", b"l" * 5)
    assert "you/file/q4.gguf" in command("list")[0]
    assert "lmstudio" in [one["source"] for one in json.loads(command("list", "--json")[0])]


# -- ps ---------------------------------------------------------------------------------------------------------------------
def test_ps_shows_a_server_or_says_that_there_is_none(command):
    with running(echo("echo", TEMPLATES["echo"]), limits=ServeLimits(keys=("k",))) as server:
        assert "echo" in command("ps", "--url", server.url, "--api-key", "k")[0]
        assert json.loads(command("ps", "--url", server.url, "--api-key", "k", "--json")[0])[0]["model"] == "echo"
        assert "401" in command("ps", "--url", server.url, code=1)[1]
    assert "no server answers" in command("ps", "--url", server.url, code=1)[1]


@pytest.mark.parametrize(
    ("aliases", "models", "found"),
    [
        ((), ("a", "b"), [(), ()]),
        (("gpt-4o", "claude-x", "m"), ("smollm2",), [("gpt-4o", "claude-x", "m")]),
        (("x", "y"), ("a", "b"), [("x",), ("y",)]),
        (("x=b", "y=b", "z"), ("a", "dir/b.gguf"), [("z",), ("x", "y")]),
        (("x=dir/b.gguf",), ("a", "dir/b.gguf"), [(), ("x",)]),
    ],
)
def test_aliases_of_models(aliases, models, found):
    assert aliases_of(aliases, models) == found


@pytest.mark.parametrize(
    ("aliases", "said"),
    [
        (("x=c",), "there is no MODEL 'c'"),
        (("=a",), "no name"),
        (("",), "no name"),
        (("x", "y", "z"), "names none of the 2 models"),
        (("x=a", "x=b"), "'x' is taken"),
        (("b=a",), "'b' is taken"),
    ],
)
def test_aliases_that_mean_nothing(aliases, said):
    with pytest.raises(RlxError, match=said):
        aliases_of(aliases, ("a", "b"))


# -- serve ------------------------------------------------------------------------------------------------------------------
def test_what_cannot_be_served_is_said_in_words(command, tmp_path):
    assert "missing.gguf" in command("serve", tmp_path / "missing.gguf", code=1)[1]
    assert "--cert and --key" in command("serve", "x", "--cert", "a", code=1)[1]
    assert "--api-key is empty" in command("serve", "x", "--api-key", "", code=1)[1]
    with pytest.raises(RlxError, match="names none of the 2 models"):
        open_models(ServeSettings(("a", "b"), aliases=("c", "d", "e")))
    assert "--kv-memory is '2 pages'" in command("serve", "x", "--kv-memory", "2 pages", code=1)[1]
    assert "--kv-memory is '0'" in command("serve", "x", "--kv-memory", "0", code=1)[1]
    assert "there are 1 keys" in command("serve", "x", "--api-key", "k", "--share-prefixes", "1,2", code=1)[1]
    taken = bind(ServeSettings((), port=0))
    taken.listen()
    with pytest.raises(RlxError, match="in use"):
        bind(ServeSettings((), port=taken.getsockname()[1]))
    taken.close()
    with pytest.raises(RlxError, match=r"--cert .*missing\.pem"):
        bind(ServeSettings((), port=0, cert=str(tmp_path / "missing.pem"), key=str(tmp_path / "missing.pem")))


@pytest.mark.parametrize(
    "text, size", [("1", 1), ("2GB", 2 * 10**9), ("2g", 2 * 10**9), ("1.5GiB", 3 << 29), ("512 MB", 512 * 10**6), ("7B", 7)]
)
def test_sizes_as_people_write_them(text, size):
    from rlx.cli.train import byte_size

    assert byte_size(text, "--kv-memory") == size


def test_kv_memory_reaches_the_engine(tmp_path):
    model = write_model(tmp_path / "tiny.gguf")
    bounded = open_models(ServeSettings((str(model),), kv_memory=1 << 20)).models[0].engine
    assert bounded.stats().pages_total == (1 << 20) // bounded.stats().page_bytes
    plain = open_models(ServeSettings((str(model),))).models[0].engine
    assert 0 < plain.stats().pages_total <= 8 * -(-plain.capacity // 32)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_tls(tmp_path):
    cert, key = str(tmp_path / "cert.pem"), str(tmp_path / "key.pem")
    words = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-keyout",
        key,
        "-out",
        cert,
        "-days",
        "1",
        "-subj",
        "/CN=localhost",
    ]
    subprocess.run([*words, "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
    settings = ServeSettings((), port=0, cert=cert, key=key, grace=1)
    bound = bind(settings)
    server = make_server(ServerState(ModelList([echo("echo", TEMPLATES["echo"])])), settings)
    thread = threading.Thread(target=lambda: server.run(sockets=[bound]))
    thread.start()
    until(lambda: server.started)
    with httpx.Client(verify=ssl.create_default_context(cafile=cert)) as client:
        assert client.get(f"https://127.0.0.1:{bound.getsockname()[1]}/health").json() == {"status": "ok"}
    server.should_exit = True
    thread.join(10)


def test_a_server_for_others_is_warned_about():
    said: list[str] = []
    warn(ServeSettings((), host="0.0.0.0"), said.append)
    assert "anyone who reaches it can use it" in said[0] and "--cert" in said[1]
    warn(ServeSettings((), host="127.0.0.1"), said.append)
    assert len(said) == 2


def test_a_process_serves_until_it_is_told_to_stop(tmp_path):
    path = write_model(tmp_path / "tiny.gguf")
    words = [sys.executable, "-m", "rlx", "serve", path, "--port", "0", "--alias", "small", "--grace", "1"]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, env={**os.environ, "COLUMNS": "200", "RLX_API_KEY": "k"})
    try:
        line = process.stderr.readline()
        url = re.search(r"http://\S+", line).group()
        assert "small" in line
        with httpx.Client(base_url=url, headers={"x-api-key": "k"}, timeout=60) as client:
            body = {"model": "small", "messages": [{"role": "user", "content": "hi"}], "max_tokens": 4}
            assert client.post("/v1/chat/completions", json=body).json()["usage"]["completion_tokens"] <= 4
            assert client.get("/slots", headers={"x-api-key": "no"}).status_code == 401
        began = time.monotonic()
        process.send_signal(signal.SIGTERM)
        process.wait(20)
        assert time.monotonic() - began < 10
    finally:
        process.kill()
        process.stderr.close()


def test_a_serving_process_does_not_look_at_its_models_again(monkeypatch):
    seen = []
    monkeypatch.setattr(RlxServer, "run", lambda self, sockets: seen.append(gc.get_freeze_count()))
    settings = ServeSettings((), port=0)
    with bind(settings) as bound:
        serve(settings, ModelList([]), bound, say=lambda text: None)
    assert seen[0] > 1000 and gc.get_freeze_count() == 0
