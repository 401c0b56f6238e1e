"""Maintenance of the models on this disk: their size, their integrity, and what to delete when one is removed."""

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
from rlx.hub.names import HubName, find_model, parse_name
from rlx.hub.stored import INSTALLED, hub_cache, lm_studio_roots, ollama_manifests, ollama_stores, repo_folder


@dataclass(frozen=True)
class Store:
    """A folder of downloaded models, and the bytes in it."""

    name: str
    path: Path
    models: int
    size: int
    unused: int


def stores() -> list[Store]:
    """Lists the model folders that exist on this machine."""
    hub, existing = hub_cache(), []
    if hub.is_dir():
        repos = list(hub.glob("models--*"))
        existing.append(Store("huggingface", hub, len(repos), sum(map(size_of, repos)), sum(map(size_of, unused_files()))))
    for root in filter(Path.is_dir, ollama_stores()):
        count = sum(root in manifest.parents for _, manifest in ollama_manifests())
        existing.append(Store("ollama", root, count, size_of(root), sum(map(size_of, _orphans(root)))))
    for root in filter(Path.is_dir, lm_studio_roots(Path.home())):
        existing.append(Store("lmstudio", root, len(list(root.glob("*/*"))), size_of(root), 0))
    return existing


def verify_files() -> Iterator[tuple[str, Path, bool]]:
    """Yields every file that is named by its hash: its model, its path, and whether it has that hash."""
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
    """Lists files in the hub's cache that no branch or tag needs."""
    return [path for folder in sorted(hub_cache().glob("models--*")) for path in _unused(folder)]


def _unused(folder: Path) -> list[Path]:
    """Lists a repository's versions that no ref names, abandoned partial downloads, and blobs that no version uses."""
    refs = [path for path in folder.glob("refs/**/*") if path.is_file()]
    named = {path.read_text("utf-8", "replace").strip() for path in refs}
    old = [path for path in sorted(folder.glob("snapshots/*")) if refs and path.name not in named]
    used = {name for path in folder.glob("snapshots/*") if path not in old for name in _link_targets(path)}
    return [*old, *(blob for blob in sorted(folder.glob("blobs/*")) if blob.name not in used and not _busy(folder, blob))]


def _link_targets(folder: Path) -> list[str]:
    """Returns the names of the blobs that the links below a folder point to."""
    return [Path(os.readlink(path)).name for path in folder.rglob("*") if path.is_symlink()]


def _busy(folder: Path, blob: Path) -> bool:
    """Returns whether another process is downloading a blob."""
    lock = lock_path(folder, blob.name.partition(".")[0])
    if not lock.exists():
        return False
    number = os.open(lock, os.O_RDWR)
    try:
        return not try_lock(number)
    finally:
        os.close(number)


def _digests(manifest: Path) -> set[str]:
    """Returns the blobs of a model of Ollama."""
    try:
        content = json.loads(manifest.read_text("utf-8"))
        return {str(layer["digest"]) for layer in [content["config"], *content["layers"]] if "/" not in layer["digest"]}
    except (OSError, ValueError, KeyError, TypeError):
        return set()


def _orphans(root: Path) -> list[Path]:
    """Lists blobs of Ollama's store that no manifest names."""
    there = [manifest for _, manifest in ollama_manifests() if root in manifest.parents]
    used = {digest.replace(":", "-") for manifest in there for digest in _digests(manifest)}
    return [blob for blob in sorted(root.glob("blobs/*")) if blob.name not in used]


def removal(name: str) -> list[Path]:
    """Lists the files and folders that make up a downloaded model only. Paths outside the stores are not names of models."""
    if name in INSTALLED:
        fix = f"pip uninstall {INSTALLED[name].package}"
        raise RlxError("RLX708", f"{name} belongs to a Python package", fix=fix, at=None)
    remote = parse_name(name)
    if not isinstance(remote, HubName):
        files = _ollama_files(name.removeprefix("ollama:"))
        if files:
            return files
    elif remote.tag is None and remote.file is None and repo_folder(remote.repo).is_dir():
        return [repo_folder(remote.repo)]
    path = find_model(name)
    if name in (str(path), path.as_posix()):
        raise RlxError("RLX708", f"{name} is a path", fix="the name of a model: `rlx list` shows them", at=None)
    parts = [path.with_name(part) for part in parts_of(path.name)] if path.suffix else [path]
    if hub_cache() in path.parents:
        return _hub_files(path, parts)
    if not any(root in path.parents for root in lm_studio_roots(Path.home())):
        raise RlxError("RLX708", f"{name} is not a downloaded model", fix="`rlx list` shows them", at=None)
    return parts


def _ollama_files(name: str) -> list[Path]:
    """Lists the manifest of a model of Ollama, and the blobs that no other model uses; none if Ollama does not have it."""
    manifest = next((path for listed, path in ollama_manifests() if listed in (name, f"{name}:latest")), None)
    if manifest is None:
        return []
    others = {digest for _, path in ollama_manifests() if path != manifest for digest in _digests(path)}
    blobs = manifest.parents[4] / "blobs"
    return [manifest, *(blobs / digest.replace(":", "-") for digest in sorted(_digests(manifest) - others))]


def _hub_files(path: Path, parts: list[Path]) -> list[Path]:
    """Lists a hub model's links in all versions of its repository, and the blobs that only these links use; or the repository."""
    folder = hub_cache() / path.relative_to(hub_cache()).parts[0]
    if path.is_dir():
        return [folder]
    inside = path.relative_to(folder / "snapshots").parts[1:]
    links = [link for part in parts for link in folder.glob("/".join(("snapshots", "*", *inside[:-1], part.name)))]
    used = _link_targets(folder / "snapshots")
    targets = [Path(os.readlink(link)).name for link in links if link.is_symlink()]
    unused = {target for target in targets if used.count(target) == targets.count(target)}
    return [*links, *(folder / "blobs" / target for target in sorted(unused))]


def remove(path: Path) -> None:
    """Removes a file or a folder; links are removed, not followed."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def size_of(path: Path) -> int:
    """Returns the bytes of a file or a folder on disk; links count nothing."""
    if path.is_symlink() or not path.exists():
        return 0
    return path.stat().st_size if path.is_file() else sum(size_of(one) for one in path.iterdir())
