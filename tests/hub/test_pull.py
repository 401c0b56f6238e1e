"""Downloads from a hub on loopback: what arrives, and everything that can go wrong on the way."""

from __future__ import annotations

import errno
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import rlx
from rlx.core.errors import RlxError
from rlx.hub import client as http
from rlx.hub import find_model, parse_name
from rlx.hub.cache import link
from rlx.hub.pull import plan
from rlx.hub.upkeep import unused_files, verify_files
from tests.hub.loopback import SHA, git_sha1, loopback, sha256

GGUF = random.Random(0).randbytes(300_000)
OTHER = random.Random(1).randbytes(50_000)
SOURCE = Path(__file__).resolve().parents[2] / "src"


@pytest.fixture
def home(tmp_path, monkeypatch):
    for name in [name for name in os.environ if name.startswith(("HF_", "HUGGING", "OLLAMA")) or "proxy" in name.lower()]:
        monkeypatch.delenv(name)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("TRANSFORMERS_OFFLINE", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(http, "BACKOFF", 0.001)
    monkeypatch.setattr(http, "TIMEOUT", 5.0)
    return tmp_path / "home"


@pytest.fixture
def hub(home, monkeypatch):
    with loopback() as running:
        running.repos["org/packed"] = {
            "README.md": b"read me",
            "m-Q8_0.gguf": OTHER,
            "m-Q4_K_M.gguf": GGUF,
            "mmproj-m-Q4_K_M.gguf": b"eyes",
        }
        monkeypatch.setenv("HF_ENDPOINT", running.url)
        yield running


def cache(home: Path, repo="org/packed") -> Path:
    return home / ".cache/huggingface/hub" / f"models--{repo.replace('/', '--')}"


def pull(name="org/packed", **options) -> Path:
    return find_model(name, download=True, **options)


def everything_below(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}


def bodies(hub):
    """What was asked of files, without listings."""
    return [one for one in hub.requests if "/resolve/" in one[1]]


# -- what arrives ---------------------------------------------------------------------------------------------------------
def test_a_model_arrives_in_the_layout_of_the_hub(hub, home):
    steps = []
    path = pull(progress=lambda *step: steps.append(step))
    folder = cache(home)
    assert path == folder / "snapshots" / SHA / "m-Q4_K_M.gguf" and path.read_bytes() == GGUF
    assert os.readlink(path) == f"../../blobs/{sha256(GGUF)}"
    assert (folder / "refs/main").read_text() == SHA
    assert everything_below(folder) == {"refs/main", f"blobs/{sha256(GGUF)}", f"snapshots/{SHA}/m-Q4_K_M.gguf"}
    assert (folder.parent / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55")
    assert steps[-1] == ("download org/packed", len(GGUF), len(GGUF)) and len(steps) > 1
    assert [done for _, done, _ in steps] == sorted(done for _, done, _ in steps)
    asked = len(hub.requests)
    assert pull() == path and find_model("org/packed:q4_k_m") == path  # it is there: nobody is asked
    assert len(hub.requests) == asked
    assert pull("org/packed:Q8_0").read_bytes() == OTHER


def test_load_model_downloads_when_asked_to(hub, home):
    pytest.importorskip("tokenizers")
    from tests.cli.test_models import write_model

    hub.repos["org/tiny"] = {"tiny-F32.gguf": Path(write_model(home.parent / "tiny.gguf")).read_bytes()}
    with pytest.raises(RlxError, match=r"RLX708(.|\n)*rlx pull org/tiny(.|\n)*download=True"):
        rlx.load_model("org/tiny")
    assert rlx.load_model("org/tiny", download=True).config.layers == 2
    assert rlx.load_model("org/tiny").config.layers == 2


def test_a_repository_without_gguf(hub, home):
    index = {"weight_map": {"a": "model-00001-of-00002.safetensors", "b": "model-00002-of-00002.safetensors"}}
    files = {
        "config.json": b"{}",
        "tokenizer.json": b"{ }",
        "chat_template.jinja": b"{{ 1 }}",
        "1_Pooling/config.json": b"[]",
        "model.safetensors.index.json": json.dumps(index).encode(),
        "model-00001-of-00002.safetensors": GGUF,
        "model-00002-of-00002.safetensors": OTHER,
    }
    never = {
        "pytorch_model.bin": b"x",
        "model.pt": b"x",
        "modeling_evil.py": b"x",
        "onnx/model.onnx": b"x",
        "extra.safetensors": b"x",
    }
    hub.repos["org/folder"] = files | never
    path = pull("org/folder")
    assert path == cache(home, "org/folder") / "snapshots" / SHA
    assert {name: (path / name).read_bytes() for name in everything_below(path)} == files
    assert os.readlink(path / "1_Pooling/config.json") == f"../../../blobs/{git_sha1(b'[]')}"
    assert find_model("org/folder") == path


def test_a_split_file_arrives_whole(hub):
    hub.repos["org/split"] = {f"m-Q8_0-0000{part}-of-00003.gguf": bytes([part]) * part for part in (1, 2, 3)}
    for name in ("org/split", "org/split/m-Q8_0-00002-of-00003.gguf"):
        path = pull(name)
        assert path.name == "m-Q8_0-00001-of-00003.gguf"
        assert [file.read_bytes() for file in sorted(path.parent.iterdir())] == [b"\1", b"\2\2", b"\3\3\3"]


@pytest.mark.parametrize(
    ("files", "name", "said"),
    [
        (["pytorch_model.bin", "config.json"], "org/x", "only in pytorch_model.bin"),
        (["adapter_config.json", "adapter_model.safetensors"], "org/x", "LoRA adapter"),
        (["README.md"], "org/x", "no GGUF file"),
        (["m-Q8_0.gguf", "m-IQ2_M.gguf"], "org/x:Q4_0", "no file for Q4_0(.|\n)*IQ2_M, Q8_0"),
        (["m-Q8_0.gguf"], "org/x/other.gguf", "no other.gguf"),
        (["m-Q8_0-00001-of-00002.gguf"], "org/x/m-Q8_0-00001-of-00002.gguf", "does not have all 2 parts"),
    ],
)
def test_what_cannot_be_a_model_is_said_before_anything_is_fetched(hub, files, name, said):
    hub.repos["org/x"] = dict.fromkeys(files, b"{}")
    with pytest.raises(RlxError, match=rf"RLX708(.|\n)*{said}"):
        pull(name)
    assert not bodies(hub)


# -- broken on the way ----------------------------------------------------------------------------------------------------
def test_broken_connections_are_resumed_where_they_broke(hub):
    cuts = iter([100_000, 150_000])
    hub.faults.append(
        lambda handler: (
            "/resolve/" in handler.path and (cut := next(cuts, None)) is not None and hub.body(handler, GGUF, {}, cut=cut)
        )
    )
    assert pull().read_bytes() == GGUF
    assert [headers.get("Range") for _, _, headers in bodies(hub)] == [None, "bytes=100000-", "bytes=250000-"]


def test_a_server_that_always_breaks_ends_in_an_error_and_what_came_is_used_later(hub, home):
    hub.faults.append(lambda handler: "/resolve/" in handler.path and hub.body(handler, GGUF, {}, cut=1000))
    with pytest.raises(RlxError, match=r"RLX709.*ended after \d+ of 300000 bytes"):
        pull()
    assert (cache(home) / "blobs" / f"{sha256(GGUF)}.incomplete").stat().st_size == 1000 * len(bodies(hub))
    assert not (cache(home) / "refs").exists()
    hub.faults.clear()
    before = hub.sent
    assert pull().read_bytes() == GGUF
    assert hub.sent - before < len(GGUF)


@pytest.mark.parametrize("wrong", ["whole", "shifted", "refused"])
def test_servers_that_resume_wrongly(hub, home, wrong):
    blobs = cache(home) / "blobs"
    blobs.mkdir(parents=True)
    (blobs / f"{sha256(GGUF)}.incomplete").write_bytes(GGUF[:1000])

    def fault(handler):
        if "/resolve/" not in handler.path or "Range" not in handler.headers:
            return False
        if wrong == "refused":
            return hub.status(handler, 416)
        if wrong == "whole":
            return hub.body(handler, GGUF, {}, ranges=False)
        handler.send_response(206)
        handler.send_header("Content-Range", f"bytes 0-{len(GGUF) - 1}/{len(GGUF)}")
        handler.send_header("Content-Length", str(len(GGUF)))
        handler.end_headers()
        handler.wfile.write(GGUF)
        hub.faults.clear()
        return True

    hub.faults.append(fault)
    assert pull().read_bytes() == GGUF


@pytest.mark.parametrize("left", [GGUF, GGUF[:-1] + b"?", GGUF + b"more", b"other" * 100])
def test_whatever_an_earlier_download_left_the_hash_decides(hub, home, left):
    blobs = cache(home) / "blobs"
    blobs.mkdir(parents=True)
    (blobs / f"{sha256(GGUF)}.incomplete").write_bytes(left)
    steps = []
    assert pull(progress=lambda *step: steps.append(step)).read_bytes() == GGUF
    assert steps[-1][1] == len(GGUF)
    assert not list(blobs.glob("*.incomplete"))


def test_a_wrong_hash_is_fetched_once_more_and_then_refused(hub, home):
    hub.faults.append(lambda handler: "/resolve/" in handler.path and hub.body(handler, GGUF[::-1], {}))
    with pytest.raises(RlxError, match=rf"RLX709.*m-Q4_K_M.gguf.*{sha256(GGUF)}"):
        pull()
    assert len(bodies(hub)) == 2
    assert everything_below(cache(home)) == set()


def test_small_files_are_checked_by_their_git_hash(hub):
    hub.repos["org/folder"] = {"config.json": b"{}", "model.safetensors": OTHER}
    hub.faults.append(lambda handler: "/resolve/" in handler.path and "config" in handler.path and hub.body(handler, b"[]", {}))
    with pytest.raises(RlxError, match=rf"RLX709.*config.json.*{git_sha1(b'{}')}"):
        pull("org/folder")


def test_a_body_that_trickles_counts_as_broken(hub, monkeypatch):
    monkeypatch.setattr(http, "TIMEOUT", 0.3)
    slow = iter([True])
    hub.faults.append(
        lambda handler: "/resolve/" in handler.path and next(slow, False) and hub.body(handler, GGUF, {}, delay=0.1, piece=10)
    )
    begun = time.monotonic()
    assert pull().read_bytes() == GGUF
    assert time.monotonic() - begun < 5 and len(bodies(hub)) == 2


def test_a_server_that_says_nothing_is_not_waited_for(hub, monkeypatch):
    monkeypatch.setattr(http, "TIMEOUT", 0.1)
    silent = threading.Event()
    hub.faults.append(lambda handler: silent.wait(5) or True)
    with pytest.raises(RlxError, match=r"RLX709.*timed out"):
        pull()
    silent.set()


def test_more_than_the_listing_says_is_not_read(hub):
    hub.faults.append(lambda handler: "/resolve/" in handler.path and hub.body(handler, GGUF + b"x" * 10**7, {}))
    assert pull().read_bytes() == GGUF


def test_nobody_listens(home, monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(RlxError, match=r"RLX709.*127\.0\.0\.1:9.*refused"):
        pull()
    monkeypatch.setenv("HF_ENDPOINT", "ftp://example.com")
    with pytest.raises(RlxError, match=r"RLX709.*HF_ENDPOINT"):
        pull()


# -- answers of the server ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("code", "headers", "token", "said"),
    [
        (401, {"X-Error-Code": "RepoNotFound"}, None, r"RLX708.*not on the hub, or is private(.|\n)*HF_TOKEN"),
        (401, {}, "hf_old", r"RLX708(.|\n)*HF_TOKEN is valid"),
        (401, {"X-Error-Code": "GatedRepo"}, None, r"RLX709.*gated(.|\n)*accept its terms at .*/org/packed; then create a token"),
        (403, {"X-Error-Code": "GatedRepo"}, "hf_x", r"RLX709.*gated(.|\n)*accept its terms at .*/org/packed$"),
        (404, {"X-Error-Code": "RepoNotFound"}, None, r"RLX708.*not on the hub"),
        (404, {"X-Error-Code": "RevisionNotFound"}, None, r"RLX708.*no version main"),
        (429, {"Retry-After": "4000"}, None, r"RLX709.*too many requests(.|\n)*4000 s"),
        (500, {}, None, r"RLX709.*500"),
        (418, {}, None, r"RLX709.*418"),
    ],
)  # fmt: skip
def test_refusals_in_words(hub, home, monkeypatch, code, headers, token, said):
    if token:
        monkeypatch.setenv("HF_TOKEN", token)
    hub.faults.append(lambda handler: hub.status(handler, code, headers))
    with pytest.raises(RlxError, match=said):
        pull()
    assert len(hub.requests) == (5 if code == 500 else 1)
    assert not home.exists()


def test_a_busy_server_is_asked_again_when_it_says(hub):
    busy = iter([(429, {"Retry-After": "1"}), (503, {})])
    hub.faults.append(lambda handler: (one := next(busy, None)) is not None and hub.status(handler, *one))
    begun = time.monotonic()
    assert pull().read_bytes() == GGUF
    assert 1.0 <= time.monotonic() - begun < 4


# -- tokens, redirects, mirrors, proxies ----------------------------------------------------------------------------------
def authorizations(hub):
    return {headers.get("Authorization") for _, _, headers in hub.requests}


def test_the_token_stays_with_its_host(hub, home, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", " hf_secret\n")
    with loopback() as other:
        other.repos = hub.repos
        hub.faults.append(
            lambda handler: "/resolve/" in handler.path and hub.status(handler, 302, {"Location": other.url + handler.path})
        )
        assert pull().read_bytes() == GGUF
        assert authorizations(hub) == {"Bearer hf_secret"}
        assert authorizations(other) == {None} and len(other.requests) == 1


def test_a_redirect_to_the_same_host_keeps_the_token(hub, home, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    hub.faults.append(
        lambda handler: (
            "org/old" in handler.path and hub.status(handler, 307, {"Location": handler.path.replace("org/old", "org/packed")})
        )
    )
    assert pull("org/old").read_bytes() == GGUF
    assert authorizations(hub) == {"Bearer hf_secret"}


@pytest.mark.parametrize("to", ["file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://x"])
def test_redirects_lead_to_http_only(hub, to):
    hub.faults.append(lambda handler: hub.status(handler, 302, {"Location": to}))
    with pytest.raises(RlxError, match="RLX709"):
        pull()


def test_endless_redirects_end(hub):
    hub.faults.append(lambda handler: hub.status(handler, 302, {"Location": handler.path + "x"}))
    with pytest.raises(RlxError, match="RLX709"):
        pull()


def test_the_usual_places_of_a_token(hub, home, monkeypatch):
    place = home / ".cache/huggingface/token"
    place.parent.mkdir(parents=True)
    place.write_text("hf_file\n")
    plan(parse_name("org/packed"))
    monkeypatch.setenv("HF_TOKEN_PATH", str(home / "mine"))
    (home / "mine").write_text("hf_mine")
    plan(parse_name("org/packed"))
    monkeypatch.setenv("HF_TOKEN", "hf_variable")
    plan(parse_name("org/packed"))
    assert authorizations(hub) == {"Bearer hf_file", "Bearer hf_mine", "Bearer hf_variable"}
    monkeypatch.setenv("HF_TOKEN", "a\nX-Evil: 1")
    with pytest.raises(RlxError, match=r"RLX709.*token"):
        plan(parse_name("org/packed"))


def test_a_proxy_is_used_and_no_proxy_too(hub, home, monkeypatch):
    with loopback() as proxy:
        proxy.repos = hub.repos
        monkeypatch.setenv("http_proxy", proxy.url)
        monkeypatch.setenv("HF_ENDPOINT", "http://hub.invalid")
        proxy.faults.append(lambda handler: setattr(handler, "path", handler.path.removeprefix("http://hub.invalid")))
        assert pull().read_bytes() == GGUF
        assert all(one[2]["Host"] == "hub.invalid" for one in proxy.requests)
        seen = len(proxy.requests)
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        pull("org/packed:Q8_0")
        assert len(proxy.requests) == seen and hub.requests


@pytest.mark.parametrize("variable", ["HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"])
def test_offline_uses_what_is_there_and_asks_nobody(hub, home, monkeypatch, variable):
    path = pull()
    asked = len(hub.requests)
    monkeypatch.setenv(variable, "1")
    assert pull() == path
    with pytest.raises(RlxError, match=r"RLX709.*OFFLINE"):
        pull("org/packed:Q8_0")
    assert len(hub.requests) == asked


# -- hostile and large listings -------------------------------------------------------------------------------------------
EVIL = ["../../evil.gguf", "/tmp/evil.gguf", "..\\evil.gguf", "C:\\evil.gguf", "C:evil.gguf", "a/../../evil.gguf", "nul.gguf",
        "a\0b.gguf", "a//evil.gguf", "./evil.gguf", "x" * 300 + ".gguf", "aux/evil.gguf", "evil.gguf "]  # fmt: skip


def test_names_of_a_listing_cannot_leave_the_cache(hub, home):
    row = {"type": "file", "size": 4, "oid": git_sha1(b"evil"), "lfs": {"oid": sha256(b"evil"), "size": 4}}
    hub.rows = [{**row, "path": name} for name in EVIL]
    hub.rows += [{}, {"type": "file"}, {"type": "file", "path": 3}, {**row, "path": "-Q4_K_M.gguf", "lfs": {"oid": "../../x", "size": 4}},
                 {**row, "path": "b-Q4_K_M.gguf", "lfs": {"oid": sha256(b""), "size": -1}}, None, 7]  # fmt: skip
    assert pull().read_bytes() == GGUF
    hub.repos["org/packed"] = {}
    with pytest.raises(RlxError, match="RLX708"):
        pull("org/packed:Q8_0")
    inside = home / ".cache/huggingface/hub"
    assert [path for path in home.parent.rglob("*") if not path.is_dir() and inside not in path.parents] == []


@pytest.mark.parametrize("commit", ["../../x", "", None, "z" * 40, "A" * 41])
def test_a_commit_that_is_none(hub, home, commit):
    hub.faults.append(lambda handler: "/revision/" in handler.path and (hub.json(handler, {"sha": commit}) or True))
    with pytest.raises(RlxError, match=r"RLX709.*returned no commit"):
        pull()
    assert not home.exists()


@pytest.mark.parametrize("content", [b"", b"<html>", b"[" * 100_000, b'"x"', b"[]", b"\xff\xfe"])
def test_answers_that_are_no_json(hub, content):
    hub.faults.append(lambda handler: hub.body(handler, content, {}))
    with pytest.raises(RlxError, match=r"RLX709|RLX708"):
        pull()


def test_an_index_cannot_name_what_the_listing_lacks(hub):
    for content in (b'{"weight_map": {"a": "../../x"}}', b'{"weight_map": 3}', b"[]", b"{", b'{"weight_map": {}}'):
        hub.repos["org/folder"] = {"config.json": b"{}", "model.safetensors.index.json": content}
        with pytest.raises(RlxError, match=r"RLX709|RLX708"):
            pull("org/folder")


def test_listings_of_thousands_of_files_come_in_pages(hub):
    hub.page = 700
    hub.repos["org/large"] = {f"data/{number}.json": b"" for number in range(5000)} | {"m-Q4_K_M.gguf": OTHER}
    assert pull("org/large").read_bytes() == OTHER
    assert len(hub.asked("/tree/")) == 8


def test_a_next_page_on_another_server_is_not_read(hub, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    with loopback() as other:
        link_to = {"Link": f'<{other.url}/api/models/org/packed/tree/x>; rel="next"'}
        rows = [hub.row("m-Q4_K_M.gguf", GGUF)]
        hub.faults.append(lambda handler: "/tree/" in handler.path and (hub.json(handler, rows, link_to) or True))
        assert pull().read_bytes() == GGUF
        assert other.requests == []


# -- the disk -------------------------------------------------------------------------------------------------------------
def test_a_disk_that_is_too_small_is_said_before(hub, home, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda place: type("Usage", (), {"free": 1000})())
    with pytest.raises(RlxError, match=r"RLX304.*org/packed needs .* free(.|\n)*HF_HOME"):
        pull()
    assert not bodies(hub) and not home.exists()


def test_a_disk_that_fills_up_keeps_what_fitted(hub, home, monkeypatch):
    import rlx.hub.client as module

    real = module._write_all

    def full(out, part, target, missing):
        class Full:
            def write(self, view):
                if out.tell() >= 100_000:
                    raise OSError(errno.ENOSPC, "No space left on device")
                return out.write(view[: 100_000 - out.tell()])

        real(Full(), part, target, missing)

    monkeypatch.setattr(module, "_write_all", full)
    with pytest.raises(RlxError, match=r"RLX304.*No space left on device(.|\n)*resume"):
        pull()
    assert (cache(home) / "blobs" / f"{sha256(GGUF)}.incomplete").stat().st_size == 100_000
    monkeypatch.setattr(module, "_write_all", real)
    assert pull().read_bytes() == GGUF
    assert bodies(hub)[-1][2]["Range"] == "bytes=100000-"


def test_a_folder_that_cannot_be_written(hub, home, monkeypatch):
    (home / ".cache").mkdir(parents=True)
    (home / ".cache/huggingface").write_text("a file")
    with pytest.raises(RlxError, match=r"RLX304|RLX303"):
        pull()


def test_without_symbolic_links_the_snapshot_has_the_files(hub, home, monkeypatch):
    def refused(self, target, target_is_directory=False):
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(Path, "symlink_to", refused)
    path = pull()
    assert path.read_bytes() == GGUF and not path.is_symlink() and find_model("org/packed") == path
    plan(parse_name("org/packed")).run()
    assert len(bodies(hub)) == 1


def test_an_update_leaves_the_old_version_until_it_is_whole(hub, home):
    path = pull()
    folder = cache(home)
    (folder / "snapshots" / SHA).rename(folder / "snapshots" / ("f" * 40))
    (folder / "refs/main").write_text("f" * 40)
    hub.repos["org/packed"]["m-Q4_K_M.gguf"] = GGUF[::-1]
    hub.faults.append(lambda handler: "/resolve/" in handler.path and hub.body(handler, GGUF[::-1], {}, cut=10))
    with pytest.raises(RlxError, match="RLX709"):
        plan(parse_name("org/packed")).run()
    assert find_model("org/packed").read_bytes() == GGUF
    hub.faults.clear()
    assert plan(parse_name("org/packed")).run() == path and path.read_bytes() == GGUF[::-1]
    assert find_model("org/packed") == path
    assert {one.name for one in unused_files()} == {"f" * 40, sha256(GGUF)}


def test_damage_on_disk_is_noticed(hub, home):
    path = pull()
    assert [right for _, _, right in verify_files()] == [True]
    blob = path.resolve()
    blob.write_bytes(GGUF[:-1] + b"?")
    assert list(verify_files()) == [("org/packed", blob, False)]


def test_a_link_that_leads_nowhere_is_replaced(hub, home, tmp_path):
    blob = tmp_path / "blob"
    blob.write_bytes(b"x")
    pointer = tmp_path / "s/p"
    pointer.parent.mkdir()
    pointer.symlink_to("nowhere")
    link(blob, pointer)
    assert pointer.read_bytes() == b"x"


# -- several processes ----------------------------------------------------------------------------------------------------
PULL = "import sys; from rlx.hub import find_model; print(find_model(sys.argv[1], download=True))"


def process(*words):
    command = [sys.executable, "-c", PULL, *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env={**os.environ, "PYTHONPATH": str(SOURCE)})  # fmt: skip


def until(condition, seconds=20.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_two_processes_fetch_a_file_once(hub, home):
    hub.faults.append(lambda handler: "/resolve/" in handler.path and hub.body(handler, GGUF, {}, delay=0.2))
    both = [process("org/packed") for _ in range(2)]
    ended = [one.communicate(timeout=60) for one in both]
    assert [one.returncode for one in both] == [0, 0], ended
    assert len({out for out, _ in ended}) == 1 and Path(ended[0][0].strip()).read_bytes() == GGUF
    assert len(bodies(hub)) == 1
    assert any("another process downloads" in err for _, err in ended)


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_after_a_kill_the_next_one_resumes(hub, home, end):
    hub.faults.append(lambda handler: "/resolve/" in handler.path and hub.body(handler, GGUF, {}, delay=0.1, piece=10_000))
    killed = process("org/packed")
    unfinished = cache(home) / "blobs" / f"{sha256(GGUF)}.incomplete"
    until(lambda: unfinished.exists() and unfinished.stat().st_size >= 20_000)
    killed.send_signal(end)
    killed.communicate(timeout=20)
    left = unfinished.stat().st_size
    hub.faults.clear()
    assert 20_000 <= left < len(GGUF)
    assert pull().read_bytes() == GGUF
    assert bodies(hub)[-1][2]["Range"] == f"bytes={left}-"


# -- Ollama ---------------------------------------------------------------------------------------------------------------
@pytest.fixture
def registry(hub):
    blobs = {f"sha256:{sha256(content)}": content for content in (GGUF, b"{{ .Prompt }}", b"{}")}
    kinds = ("model", "template", "config")
    layers = [
        {"mediaType": f"application/vnd.ollama.image.{kind}", "digest": digest, "size": len(content)}
        for kind, (digest, content) in zip(kinds, blobs.items(), strict=True)
    ]
    hub.blobs = blobs
    hub.manifests["library/tiny/latest"] = json.dumps({"config": layers[2], "layers": layers[:2]}).encode()
    return hub


def test_a_model_of_an_ollama_registry(registry, home):
    name = f"ollama:{registry.host}/library/tiny"
    path = pull(name)
    store = home / ".ollama/models"
    assert path == store / f"blobs/sha256-{sha256(GGUF)}" and path.read_bytes() == GGUF
    manifest = store / "manifests" / registry.host / "library/tiny/latest"
    assert manifest.read_bytes() == registry.manifests["library/tiny/latest"]
    assert len(list((store / "blobs").iterdir())) == 3
    assert find_model(name) == path and find_model("tiny") == path


@pytest.mark.parametrize("wrong", ["digest", "size", "no model", "no json", "absent"])
def test_manifests_that_make_no_sense(registry, home, wrong):
    manifest = json.loads(registry.manifests["library/tiny/latest"])
    if wrong == "digest":
        manifest["layers"][0]["digest"] = "sha256:../../x"
    if wrong == "size":
        manifest["layers"][0]["size"] = -1
    if wrong == "no model":
        del manifest["layers"][0]
    registry.manifests["library/tiny/latest"] = b"<" if wrong == "no json" else json.dumps(manifest).encode()
    if wrong == "absent":
        registry.manifests.clear()
    with pytest.raises(RlxError, match="RLX708" if wrong == "absent" else "RLX709"):
        pull(f"ollama:{registry.host}/library/tiny")
    assert not home.exists()
