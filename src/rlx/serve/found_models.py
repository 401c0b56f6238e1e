"""Models on this machine's disk: installed packages, and the folders of Hugging Face, Ollama and LM Studio."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rlx.core.errors import RlxError
from rlx.models.installed import INSTALLED, find_model

__all__ = ["FoundModel", "found_models"]


@dataclass(frozen=True)
class FoundModel:
    """A model, and where it is: `path` opens it."""

    name: str
    source: str  # installed, huggingface, ollama, lmstudio
    kind: str  # gguf, or the class in config.json
    size: int
    path: Path


def found_models(home: Path | None = None) -> list[FoundModel]:
    """Every model that can be seen, by source and name; nothing is opened but small files of settings."""
    here = home or Path.home()
    return [*_installed(), *_hugging_face(here), *_ollama(here), *_lm_studio(here)]


def _installed() -> Iterator[FoundModel]:
    for name in INSTALLED:
        try:
            path = find_model(name)
        except RlxError:
            continue
        if path.exists():
            yield FoundModel(name, "installed", _kind(path), _size(path), path)


def _hugging_face(home: Path) -> Iterator[FoundModel]:
    """`models--owner--name/snapshots/COMMIT`: a folder with config.json, or GGUF files."""
    cache = os.environ.get("HF_HUB_CACHE") or str(
        Path(os.environ.get("HF_HOME") or home / ".cache/huggingface") / "hub"
    )
    for folder in sorted(Path(cache).glob("models--*")):
        name = folder.name.removeprefix("models--").replace("--", "/")
        snapshots = sorted(folder.glob("snapshots/*"), key=lambda path: path.stat().st_mtime, reverse=True)
        for snapshot in snapshots[:1]:
            if (snapshot / "config.json").exists() and any(snapshot.glob("*.safetensors")):
                yield FoundModel(name, "huggingface", _kind(snapshot), _size(snapshot), snapshot)
            for file in _gguf_files(snapshot):
                yield FoundModel(f"{name}/{file.name}", "huggingface", "gguf", _size(file), file)


def _ollama(home: Path) -> Iterator[FoundModel]:
    """Manifests name the blob that is the model."""
    root = Path(os.environ.get("OLLAMA_MODELS") or home / ".ollama/models")
    for manifest in sorted(path for path in root.glob("manifests/*/*/*/*") if path.is_file()):
        try:
            layers = json.loads(manifest.read_text("utf-8"))["layers"]
            digest = next(one["digest"] for one in layers if one["mediaType"] == "application/vnd.ollama.image.model")
        except (OSError, ValueError, KeyError, TypeError, StopIteration):
            continue
        blob = root / "blobs" / str(digest).replace(":", "-")
        owner, model = manifest.parts[-3], manifest.parts[-2]
        name = model if owner == "library" else f"{owner}/{model}"
        if blob.exists():
            yield FoundModel(f"{name}:{manifest.name}", "ollama", "gguf", _size(blob), blob)


def _lm_studio(home: Path) -> Iterator[FoundModel]:
    """`models/owner/name/FILE.gguf`, in one of two folders."""
    for root in (home / ".lmstudio/models", home / ".cache/lm-studio/models"):
        for folder in sorted(path for path in root.glob("*/*") if path.is_dir()):
            name = f"{folder.parent.name}/{folder.name}"
            if (folder / "config.json").exists() and any(folder.glob("*.safetensors")):
                yield FoundModel(name, "lmstudio", _kind(folder), _size(folder), folder)
            for file in _gguf_files(folder):
                yield FoundModel(f"{name}/{file.name}", "lmstudio", "gguf", _size(file), file)


def _gguf_files(folder: Path) -> list[Path]:
    """Of a model in parts, the first; projectors of images are no models of their own."""
    files = sorted(folder.rglob("*.gguf"))
    return [
        file for file in files if "mmproj" not in file.name and ("-of-" not in file.name or "-00001-of-" in file.name)
    ]


def _kind(path: Path) -> str:
    if path.is_file():
        return "gguf"
    try:
        names = json.loads((path / "config.json").read_text("utf-8")).get("architectures")
    except (OSError, ValueError, AttributeError):
        return "unknown"
    return str(names[0]) if isinstance(names, list) and names else "unknown"


def _size(path: Path) -> int:
    """Bytes of a file (with its other parts) or of a folder's tensors."""
    if path.is_dir():
        return sum(file.stat().st_size for file in path.glob("*.safetensors"))
    start, parted, end = path.name.partition("-00001-of-")
    return (
        sum(file.stat().st_size for file in path.parent.glob(f"{start}-*-of-{end}")) if parted else path.stat().st_size
    )
