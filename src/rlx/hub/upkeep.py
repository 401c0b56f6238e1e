"""The models on this disk: what they take, whether they are whole, and what goes when one is removed."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rlx.core.errors import RlxError
from rlx.hub.cache import lock_path, try_lock
from rlx.hub.choice import parts_of
from rlx.hub.client import hash_of
from rlx.hub.names import HubName, OllamaName, find_model, parse_name
from rlx.hub.stored import INSTALLED, hub_cache, lm_studio_roots, ollama_manifests, ollama_stores, repo_folder


@dataclass(frozen=True)
class Store:
    """A folder of models, and the bytes in it."""

    name: str
    path: Path
    models: int
    size: int
    unused: int


def stores() -> list[Store]:
    """The stores that exist."""
    hub, found = hub_cache(), []
    if hub.is_dir():
        repos = list(hub.glob("models--*"))
        found.append(Store("huggingface", hub, len(repos), sum(map(size_of, repos)), sum(map(size_of, unused_files()))))
    for root in filter(Path.is_dir, ollama_stores()):
        count = sum(root in manifest.parents for _, manifest in ollama_manifests())
        found.append(Store("ollama", root, count, size_of(root), sum(map(size_of, _orphans(root)))))
    for root in filter(Path.is_dir, lm_studio_roots(Path.home())):
        found.append(Store("lmstudio", root, len(list(root.glob("*/*"))), size_of(root), 0))
    return found


def checked() -> Iterator[tuple[str, Path, bool]]:
    """Every file that is named by its hash: its model, its path, and whether it has that hash."""
    for folder in sorted(hub_cache().glob("models--*")):
        for blob in sorted(folder.glob("blobs/*")):
            if len(blob.name) in (40, 64) and blob.is_file():
                yield folder.name.removeprefix("models--").replace("--", "/"), blob, _is_right(blob, blob.name)
    for name, manifest in ollama_manifests():
        for digest in sorted(_digests(manifest)):
            blob = manifest.parents[4] / "blobs" / digest.replace(":", "-")
            yield name, blob, blob.is_file() and _is_right(blob, digest.removeprefix("sha256:"))


def _is_right(path: Path, digest: str) -> bool:
    running = hash_of(digest, path.stat().st_size)
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            running.update(part)
    return str(running.hexdigest()) == digest


def unused_files() -> list[Path]:
    """What can go from the hub's cache without a branch or tag losing a file."""
    return [path for folder in sorted(hub_cache().glob("models--*")) for path in _unused(folder)]


def _unused(folder: Path) -> list[Path]:
    """Versions that no ref names, unfinished downloads that nobody is at, blobs that no version shows."""
    refs = [path for path in folder.glob("refs/**/*") if path.is_file()]
    named = {path.read_text("utf-8", "replace").strip() for path in refs}
    old = [path for path in sorted(folder.glob("snapshots/*")) if refs and path.name not in named]
    kept = {name for path in folder.glob("snapshots/*") if path not in old for name in _shown(path)}
    return [*old, *(blob for blob in sorted(folder.glob("blobs/*")) if blob.name not in kept and not _busy(folder, blob))]


def _shown(folder: Path) -> list[str]:
    """The names of the blobs that the links below a folder lead to."""
    return [Path(os.readlink(path)).name for path in folder.rglob("*") if path.is_symlink()]


def _busy(folder: Path, blob: Path) -> bool:
    """Whether another process downloads this blob now."""
    lock = lock_path(folder, blob.name.partition(".")[0])
    if not lock.exists():
        return False
    number = os.open(lock, os.O_RDWR)
    try:
        return not try_lock(number)
    finally:
        os.close(number)


def _digests(manifest: Path) -> set[str]:
    """The blobs of a model of Ollama."""
    try:
        content = json.loads(manifest.read_text("utf-8"))
        return {str(layer["digest"]) for layer in [content["config"], *content["layers"]] if "/" not in layer["digest"]}
    except (OSError, ValueError, KeyError, TypeError):
        return set()


def _orphans(root: Path) -> list[Path]:
    """Blobs of Ollama's store that no manifest names."""
    there = [manifest for _, manifest in ollama_manifests() if root in manifest.parents]
    used = {digest.replace(":", "-") for manifest in there for digest in _digests(manifest)}
    return [blob for blob in sorted(root.glob("blobs/*")) if blob.name not in used]


def removal(name: str) -> list[Path]:
    """The files and folders that make up a downloaded model and nothing else. Paths outside the stores are no names of models."""
    if name in INSTALLED:
        fix = f"pip uninstall {INSTALLED[name].package}"
        raise RlxError("RLX708", f"{name} belongs to a Python package", fix=fix, at=None)
    plain, wanted = name.removeprefix("ollama:"), parse_name(name)
    if isinstance(wanted, OllamaName) or not isinstance(wanted, HubName):
        names = (plain, f"{plain}:latest")
        manifest = next((path for listed, path in ollama_manifests() if listed in names), None)
        if manifest is not None:
            others = {digest for _, path in ollama_manifests() if path != manifest for digest in _digests(path)}
            blobs = manifest.parents[4] / "blobs"
            return [manifest, *(blobs / one.replace(":", "-") for one in sorted(_digests(manifest) - others))]
    if isinstance(wanted, HubName) and wanted.tag is None and wanted.file is None and repo_folder(wanted.repo).is_dir():
        return [repo_folder(wanted.repo)]
    path = find_model(name)
    if name in (str(path), path.as_posix()):
        raise RlxError("RLX708", f"{name} is a path", fix="the name of a model: `rlx list` shows them", at=None)
    root = next((root for root in (hub_cache(), *lm_studio_roots(Path.home())) if root in path.parents), None)
    if root is None:
        raise RlxError("RLX708", f"{name} is not a downloaded model", fix="`rlx list` shows them", at=None)
    parts = [path.with_name(part) for part in parts_of(path.name)] if path.suffix else [path]
    if root != hub_cache():
        return parts
    folder = root / path.relative_to(root).parts[0]
    if path.is_dir():
        return [folder]
    inside = path.relative_to(folder / "snapshots").parts[1:]
    links = [one for part in parts for one in folder.glob("/".join(("snapshots", "*", *inside[:-1], part.name)))]
    shown = _shown(folder / "snapshots")
    targets = [Path(os.readlink(one)).name for one in links if one.is_symlink()]
    gone = {target for target in targets if shown.count(target) == targets.count(target)}
    return [*links, *(folder / "blobs" / target for target in sorted(gone))]


def remove(path: Path) -> None:
    """A file or a folder; links are removed, not followed."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def size_of(path: Path) -> int:
    """Bytes on disk; links count nothing."""
    if path.is_symlink() or not path.exists():
        return 0
    return path.stat().st_size if path.is_file() else sum(size_of(one) for one in path.iterdir())
