"""Downloads: what a name means at the hub or in an Ollama registry, the way from there into the cache, and a look at the headers before."""

from __future__ import annotations

import json
import os
import re
import shutil
import struct
import sys
import time
import urllib.error
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from rlx.core.errors import RlxError
from rlx.core.files import writing, written_whole
from rlx.formats.gguf import read_gguf_header
from rlx.hub.cache import hold_lock, link, lock_path, write_ref
from rlx.hub.choice import SETTINGS, WEIGHTS, WEIGHTS_INDEX, choose_gguf, gguf_models, parts_of, tags
from rlx.hub.client import Client, RemoteFile
from rlx.hub.names import HubName, OllamaName, endpoint, safe_name
from rlx.hub.stored import hub_home, model_layer, ollama_stores, repo_folder

_PAGES = 200  # of a listing, a thousand files each
_SHA1, _SHA256 = re.compile(r"[0-9a-f]{40}"), re.compile(r"[0-9a-f]{64}")
_PICKLED = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".h5", ".msgpack")


@dataclass
class Download:
    """A planned download: the files, and their paths. `model` is the path to open afterwards."""

    name: str
    client: Client
    files: list[RemoteFile]
    folder: Path  # of the repository, or Ollama's store
    model: Path
    blob: Callable[[RemoteFile], Path]
    shown: Callable[[RemoteFile], Path]  # where the model's readers see it: a link to the blob, or the blob
    lock: Callable[[RemoteFile], Path]
    arrived: Callable[[RemoteFile], None] = lambda file: None  # under the file's lock
    finish: Callable[[], None] = lambda: None
    note: Callable[[str], None] = field(default=lambda text: print(text, file=sys.stderr))

    @property
    def size(self) -> int:
        """Bytes of all files of the model."""
        return sum(file.size for file in self.files)

    @property
    def missing(self) -> int:
        """Bytes that are still to be downloaded."""
        return sum(file.size - self._have(file) for file in self.files)

    @property
    def free(self) -> int:
        """Free bytes on the target disk."""
        folder = next(path for path in (self.folder, *self.folder.parents) if path.exists())
        return shutil.disk_usage(folder).free

    def _have(self, file: RemoteFile) -> int:
        if self._is_here(file):
            return file.size
        with suppress(OSError):
            return min(self._partial_path(file).stat().st_size, file.size)
        return 0

    def _is_here(self, file: RemoteFile) -> bool:
        return any(path.is_file() and path.stat().st_size == file.size for path in (self.blob(file), self.shown(file)))

    def _partial_path(self, file: RemoteFile) -> Path:
        return self.blob(file).with_name(f"{self.blob(file).name}.incomplete")

    def check_space(self) -> None:
        """Raises RLX304 if the files do not fit, before anything is written."""
        missing, free = self.missing, self.free
        if missing > free:
            message = f"{self.name} needs {missing / 1e9:.2f} GB, and {self.folder.parent} has {free / 1e9:.2f} GB free"
            raise RlxError("RLX304", message, fix="free space, or HF_HOME names a folder on another disk", at=None)

    def run(self, progress: Callable[[str, int, int], None] | None = None) -> Path:
        """Downloads what is missing, small files first; returns the path of the model. An interrupted download resumes."""
        self.check_space()
        total, done = self.size, 0
        told = progress or Lines()

        def advance(count: int) -> None:
            nonlocal done
            done += count
            told(f"download {self.name}", done, total)

        for file in self.files:
            self._obtain(file, advance)
        self.finish()
        return self.model

    def _obtain(self, file: RemoteFile, advance: Callable[[int], None]) -> None:
        blob, unfinished = self.blob(file), self._partial_path(file)
        with writing(blob):
            blob.parent.mkdir(parents=True, exist_ok=True)
        with hold_lock(self.lock(file), lambda: self.note(f"another process downloads {file.name}: waiting for it")):
            if self._is_here(file):
                advance(file.size)
            else:
                self.client.fetch(file, unfinished, advance)
                with writing(blob):
                    unfinished.replace(blob)
            self.arrived(file)


class Lines:
    """Prints a download's progress on stderr, a line every few seconds."""

    def __init__(self) -> None:
        self.begun = self.last = time.monotonic()
        self.first: int | None = None

    def __call__(self, what: str, done: int, total: int) -> None:
        now = time.monotonic()
        self.first = done if self.first is None else self.first
        if now - self.last < 5 and not (done == total and now - self.begun > 5):
            return
        self.last, speed = now, max(done - self.first, 1) / max(now - self.begun, 1e-3)
        left = f"{(total - done) / speed:.0f} s left"
        print(f"{what}: {done / max(total, 1):.0%} of {total / 1e6:.0f} MB, {speed / 1e6:.1f} MB/s, {left}", file=sys.stderr)


def pull(name: HubName | OllamaName, progress: Callable[[str, int, int], None] | None = None) -> Path:
    """Downloads a model unless it exists; returns the path to open."""
    return plan(name).run(progress)


def plan(name: HubName | OllamaName) -> Download:
    """Plans a download: reads the listing, not the files."""
    return _from_hub(name) if isinstance(name, HubName) else from_registry(name)


# -- the hub --------------------------------------------------------------------------------------------------------------
def token() -> str | None:
    """Returns the hub's access token: `HF_TOKEN`, or what `hf auth login` saved."""
    if os.environ.get("HF_HUB_DISABLE_IMPLICIT_TOKEN", "").upper() in ("1", "ON", "YES", "TRUE"):
        return None
    text = os.environ.get("HF_TOKEN") or os.environ.get("HUGGING_FACE_HUB_TOKEN")
    if not text:
        path = os.environ.get("HF_TOKEN_PATH")
        with suppress(OSError, ValueError):
            text = (Path(path).expanduser() if path else hub_home() / "token").read_text("utf-8")
    text = (text or "").strip()
    if not (text.isascii() and text.isprintable() and " " not in text):
        raise RlxError(
            "RLX709", "the token of the hub has characters that are not allowed in a token", fix="check HF_TOKEN", at=None
        )
    return text or None


def _from_hub(name: HubName) -> Download:
    base = endpoint()
    if urlsplit(base).scheme not in ("http", "https") or not urlsplit(base).hostname:
        raise RlxError("RLX709", f"HF_ENDPOINT is {base!r:.200}", fix="https://huggingface.co, or a mirror", at=None)
    secret = token()
    client = Client(base, secret, lambda error: _explain_hub_error(error, name, secret))
    info, _ = client.json(f"{base}/api/models/{name.repo}/revision/{quote(name.revision, safe='')}")
    commit = info.get("sha") if isinstance(info, dict) else None
    if not isinstance(commit, str) or not _SHA1.fullmatch(commit):
        raise RlxError("RLX709", f"{base} returned no commit of {name.repo}", fix="check HF_ENDPOINT", at=None)
    listing, skipped = _listing(client, name.repo, commit)
    chosen = _choose_files(client, name, listing, skipped)
    folder = repo_folder(name.repo)
    snapshot = folder / "snapshots" / commit

    def blob(file: RemoteFile) -> Path:
        return folder / "blobs" / file.digest

    return Download(
        str(name),
        client,
        [listing[one] for one in chosen],
        folder,
        snapshot / chosen[0] if chosen[0].lower().endswith(".gguf") else snapshot,
        blob,
        lambda file: snapshot / file.name,
        lambda file: lock_path(folder, file.digest),
        lambda file: link(blob(file), snapshot / file.name),
        lambda: write_ref(folder, name.revision, commit),
    )


def _listing(client: Client, repo: str, commit: str) -> tuple[dict[str, RemoteFile], list[str]]:
    """Requests the files that a model may consist of, and the names of some others. Names that are not plain paths are dropped."""
    files: dict[str, RemoteFile] = {}
    others: list[str] = []
    page: str | None = f"{client.base}/api/models/{repo}/tree/{commit}?recursive=true"
    for _ in range(_PAGES):
        if page is None:
            break
        rows, page = client.json(page)
        for row in rows if isinstance(rows, list) else ():
            path = row.get("path") if isinstance(row, dict) and row.get("type") == "file" else None
            if not isinstance(path, str) or not safe_name(path):
                continue
            if not path.lower().endswith((".gguf", ".safetensors")) and path not in (*SETTINGS, WEIGHTS_INDEX):
                others += [path] if len(others) < 1000 else []
                continue
            url = f"{client.base}/{repo}/resolve/{commit}/{quote(path)}"
            file = remote_file(path, url, *_identity(row))
            if file is not None:
                files[path] = file
    return files, others


def _identity(row: dict[str, Any]) -> tuple[Any, Any]:
    lfs = row.get("lfs")
    return (lfs.get("size"), lfs.get("oid")) if isinstance(lfs, dict) else (row.get("size"), row.get("oid"))


def remote_file(name: str, url: str, size: Any, digest: Any) -> RemoteFile | None:
    """Converts an entry of a listing to a RemoteFile; None if its size or hash is invalid."""
    text = str(digest).removeprefix("sha256:")
    if type(size) is not int or not 0 <= size < 1 << 62 or not (_SHA1.fullmatch(text) or _SHA256.fullmatch(text)):
        return None
    return RemoteFile(name, url, size, text)


def _choose_files(client: Client, name: HubName, listing: dict[str, RemoteFile], others: list[str]) -> list[str]:
    """Chooses the files to download, the model's own first if it is GGUF, last otherwise."""
    models = gguf_models(listing)
    if name.file is not None and name.file not in listing:
        raise _none(name, f"has no {name.file}", models)
    first = name.file or choose_gguf(listing, name.tag)
    if first is not None:
        parts = parts_of(parts_of(first)[0])
        if any(part not in listing for part in parts):
            raise _none(name, f"does not have all {len(parts)} parts of {first}", models)
        return parts
    if name.tag is not None:
        raise _none(name, f"has no file for {name.tag}", models)
    weights = _weight_files(client, name, listing)
    if not weights or "config.json" not in listing or any(file not in listing for file in weights):
        raise _none(name, _why_not(listing, others), models)
    return [*(file for file in SETTINGS if file in listing), *weights]


def _weight_files(client: Client, name: HubName, listing: dict[str, RemoteFile]) -> list[str]:
    """Chooses the one file of safetensors, or the index and the files that it names; none if the repository has neither."""
    if WEIGHTS_INDEX not in listing:
        return [WEIGHTS] if WEIGHTS in listing else []
    content, _ = client.data(listing[WEIGHTS_INDEX].url)
    try:
        weights = sorted({str(file) for file in json.loads(content)["weight_map"].values()})
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise RlxError("RLX709", f"{name.repo}: its {WEIGHTS_INDEX} is invalid", at=None) from None
    return [WEIGHTS_INDEX, *weights] if weights else []


def _why_not(listing: dict[str, RemoteFile], others: list[str]) -> str:
    if any(other.rpartition("/")[2] == "adapter_config.json" for other in others):
        return "is a LoRA adapter, not a model"
    pickled = next((other for other in others if other.lower().endswith(_PICKLED)), None)
    if pickled is not None and not any(one.endswith(".safetensors") for one in listing):
        return f"has its weights only in {pickled}, which may run code; RLX reads GGUF and safetensors"
    return f"has no GGUF file and no {WEIGHTS} with a config.json"


def _none(name: HubName, why: str, models: list[str]) -> RlxError:
    if models:
        there = ", ".join(tags(models) or models[:20])
        return RlxError(
            "RLX708", f"{name.repo} {why}", fix=f"it has: {there}; write {name.repo}:{(tags(models) or ['TAG'])[0]}", at=None
        )
    return RlxError("RLX708", f"{name.repo} {why}", fix="choose a repository with GGUF files or safetensors", at=None)


def _explain_hub_error(error: urllib.error.HTTPError, name: HubName, secret: str | None) -> RlxError:
    """Converts a final HTTP error of the hub to an RlxError: what it means and how to fix it."""
    what, page = error.headers.get("X-Error-Code", ""), f"{endpoint()}/{name.repo}"
    log_in = f"create a token at {endpoint()}/settings/tokens and set HF_TOKEN, or run `hf auth login`"
    if what == "GatedRepo" or (error.code == 403 and not what):
        fix = f"accept its terms at {page}" + ("" if secret else f"; then {log_in}")
        return RlxError("RLX709", f"{name.repo} is gated: its owner requires you to accept terms first", fix=fix, at=None)
    if error.code in (401, 403):
        fix = (
            "check the name, and that HF_TOKEN is valid and may read it"
            if secret
            else f"check the name; if it is private, {log_in}"
        )
        return RlxError("RLX708", f"{name.repo} is not on the hub, or is private ({error.code})", fix=fix, at=None)
    if what == "RevisionNotFound":
        return RlxError("RLX708", f"{name.repo} has no version {name.revision}", fix=f"see {page}", at=None)
    if error.code == 404:
        return RlxError("RLX708", f"{name.repo} is not on the hub", fix=f"check the name: {endpoint()}/models", at=None)
    if error.code == 429:
        fix = f"try again in {error.headers.get('Retry-After', 'some')} s" + ("" if secret else f"; or {log_in}")
        return RlxError("RLX709", f"{urlsplit(endpoint()).netloc} received too many requests from this address", fix=fix, at=None)
    return RlxError("RLX709", f"{urlsplit(endpoint()).netloc}: {error.code} {error.reason}", fix="try again later", at=None)


# -- Ollama's registry: downloads go into Ollama's own store, where Ollama finds them too ----------------------------
_LOCAL = ("localhost", "127.0.0.1")
_MANIFEST = "application/vnd.docker.distribution.manifest.v2+json"


def from_registry(name: OllamaName) -> Download:
    """Plans a download from an Ollama registry: the layers that the manifest names."""
    scheme = "http" if urlsplit(f"//{name.host}").hostname in _LOCAL else "https"
    base = f"{scheme}://{name.host}"
    client = Client(base, None, lambda error: _explain_registry_error(error, name))
    address = f"{base}/v2/{name.owner}/{name.model}"
    content, _ = client.data(f"{address}/manifests/{name.tag}", {"Accept": _MANIFEST}, 1 << 20)
    root = ollama_stores()[0]
    try:
        manifest = json.loads(content)
        main, layers = model_layer(manifest).removeprefix("sha256:"), [manifest["config"], *manifest["layers"]]
        kinds = {str(layer["digest"]): str(layer["mediaType"]).rpartition(".")[2] for layer in layers}
        listed = [
            remote_file(f"{name} {kinds[layer['digest']]}", f"{address}/blobs/{layer['digest']}", layer["size"], layer["digest"])
            for layer in layers
        ]
    except (ValueError, KeyError, TypeError, AttributeError, StopIteration, RecursionError):
        listed, main = [None], ""
    files = {file.digest: file for file in listed if file is not None and len(file.digest) == 64}
    if len(files) < len({file.digest for file in listed if file}) or None in listed or main not in files:
        raise RlxError("RLX709", f"{base}: the manifest of {name} is invalid", fix="check the name", at=None)

    def blob(file: RemoteFile) -> Path:
        return root / "blobs" / f"sha256-{file.digest}"

    def finish() -> None:
        path = root / "manifests" / name.host / name.owner / name.model / name.tag
        path.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(path) as file:
            file.write(content)

    ordered = sorted(files.values(), key=lambda file: file.size)
    lock = root / ".locks"
    return Download(
        str(name), client, ordered, root, blob(files[main]), blob, blob, lambda file: lock / f"{file.digest}.lock", finish=finish
    )


def _explain_registry_error(error: urllib.error.HTTPError, name: OllamaName) -> RlxError:
    if error.code in (401, 403, 404):
        return RlxError("RLX708", f"{name.host} has no {name}", fix="check the name and the tag", at=None)
    return RlxError("RLX709", f"{name.host}: {error.code} {error.reason}", fix="try again later", at=None)


# -- a model before its download: the headers of its files, and holes where weights will be --------------------------
_STEPS = (1 << 20, 4 << 20, 16 << 20, 64 << 20)  # bytes of a GGUF file to request, until its header is complete
_MOST_FILES = 8  # of weights: each costs a request or two
_LARGEST_SETTINGS = 1 << 20  # tokenizers are not needed


def skeleton(download: Download, folder: Path) -> Path | None:
    """Downloads a model's headers and returns a path that opens them; None if they are too large or in too many files."""
    weights = [file for file in download.files if file.name.endswith(".safetensors")]
    parts = [file for file in download.files if file.name.lower().endswith(".gguf") or download.blob(file) == download.model]
    if len(weights or parts) > _MOST_FILES:
        return None
    if not weights:
        paths = [_gguf(download, file, folder) for file in parts]
        return next((path for path in paths[:1] if all(paths)), None)
    _copy_safetensors(download, weights, folder)
    return folder


def _copy_safetensors(download: Download, weights: list[RemoteFile], folder: Path) -> None:
    """Downloads the settings of a model, and the headers of its safetensors."""
    for file in download.files:
        if file.name.endswith(".json") and (file.size < _LARGEST_SETTINGS or file.name == WEIGHTS_INDEX):
            path = folder / file.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(download.client.beginning(file.url, 0, file.size))
    for file in weights:
        start = download.client.beginning(file.url, 0, min(file.size, 1 << 18))
        size = 8 + struct.unpack("<Q", start[:8].ljust(8, b"\0"))[0]
        if len(start) < size <= min(file.size, _STEPS[-1]):
            start += download.client.beginning(file.url, len(start), size)
        _write_header(folder / file.name, start[:size], file.size)


def _gguf(download: Download, file: RemoteFile, folder: Path) -> Path | None:
    """Downloads the header of a GGUF file, in growing steps."""
    path = folder / (file.name.rpartition("/")[2] if file.name.lower().endswith(".gguf") else "model.gguf")
    start = b""
    for end in (min(step, file.size) for step in _STEPS):
        start += download.client.beginning(file.url, len(start), end)
        _write_header(path, start, file.size)
        try:
            if read_gguf_header(path)[1] <= len(start):
                return path
        except RlxError:  # truncated: the rest is zeros
            if end == file.size:
                raise
    return None


def _write_header(path: Path, start: bytes, size: int) -> None:
    with path.open("wb") as file:
        file.write(start)
        file.truncate(size)
