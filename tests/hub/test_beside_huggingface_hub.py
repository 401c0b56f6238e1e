"""One cache for two programs: what RLX downloads huggingface_hub finds, the other way around, and together they download once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from rlx.hub import find_model
from tests.hub.loopback import sha256
from tests.hub.test_pull import GGUF, OTHER, bodies, home, hub, process, pull  # noqa: F401  fixtures

pytestmark = pytest.mark.skipif(find_spec("huggingface_hub") is None, reason="huggingface_hub is not installed")

FOLDER = {"config.json": b"{}", "tokenizer.json": b"{ }", "model.safetensors": OTHER}
FILE = "from huggingface_hub import hf_hub_download as get; print(get('org/packed', 'm-Q4_K_M.gguf'))"
WHOLE = "from huggingface_hub import snapshot_download as get; print(get('org/folder'))"
SCAN = """
from huggingface_hub import scan_cache_dir
found = scan_cache_dir()
assert not found.warnings, found.warnings
print(sorted((repo.repo_id, repo.size_on_disk, sorted(ref for one in repo.revisions for ref in one.refs)) for repo in found.repos))
"""


def theirs(program: str, **variables: str) -> subprocess.Popen:
    return subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env={**os.environ, **variables})  # fmt: skip


def output(running: subprocess.Popen) -> str:
    out, err = running.communicate(timeout=60)
    assert running.returncode == 0, err
    return out.strip()


def test_what_we_download_it_finds_offline(hub):  # noqa: F811
    hub.repos["org/folder"] = FOLDER
    ours = [pull(), pull("org/folder")]
    asked = len(hub.requests)
    assert output(theirs(FILE, HF_HUB_OFFLINE="1")) == str(ours[0])
    assert output(theirs(WHOLE, HF_HUB_OFFLINE="1")) == str(ours[1])
    assert len(hub.requests) == asked
    sizes = [("org/folder", sum(map(len, FOLDER.values())), ["main"]), ("org/packed", len(GGUF), ["main"])]
    assert output(theirs(SCAN)) == str(sizes)


def test_what_it_downloads_we_find(hub):  # noqa: F811
    hub.repos["org/folder"] = FOLDER
    file, folder = output(theirs(FILE)), output(theirs(WHOLE))
    asked = len(hub.requests)
    assert (find_model("org/packed"), find_model("org/folder")) == (Path(file), Path(folder))
    assert len(hub.requests) == asked


@pytest.mark.parametrize("we_are_first", [True, False])
def test_both_at_once_download_once(hub, home, we_are_first):  # noqa: F811
    begun = []

    def slowly(handler):
        if "/resolve/" not in handler.path or handler.command == "HEAD":
            return False
        if not begun:
            begun.append(theirs(FILE) if we_are_first else process("org/packed"))
        row = hub.row("m-Q4_K_M.gguf", GGUF)
        about = {"ETag": json.dumps(row["oid"]), "X-Linked-ETag": json.dumps(row["lfs"]["oid"]), "X-Repo-Commit": "0" * 40}
        return hub.body(handler, GGUF, about, delay=0.8)

    hub.faults.append(slowly)
    first = process("org/packed") if we_are_first else theirs(FILE)
    paths = {output(first), output(begun[0])}
    assert len(paths) == 1 and Path(paths.pop()).read_bytes() == GGUF
    assert len([one for one in bodies(hub) if one[0] == "GET"]) == 1
    assert sha256(GGUF) in {path.name for path in home.rglob("blobs/*")}
