"""From the name of a model to its path: files, installed packages, the stores of other programs, and what could be downloaded."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from rlx.core.errors import RlxError, as_path, did_you_mean
from rlx.hub.stored import INSTALLED, found_models, installed_path, stored_by_ollama, stored_from_hub

_HOSTS = ("huggingface.co", "www.huggingface.co", "hf.co")
_REPO = re.compile(r"(?!.*(?:--|\.\.))\w[\w.-]{0,95}/\w[\w.-]{0,95}", re.ASCII)
_TAG = re.compile(r"\w[\w.-]{0,79}", re.ASCII)
_FILES = (".gguf", ".safetensors", ".bin", ".pt", ".pth", ".onnx", ".json", ".toml", ".rlx", ".rlxe", ".rlxm", ".npz")
_FORMS = "org/repo, org/repo:Q4_K_M, hf:org/repo, https://huggingface.co/org/repo, ollama:name:tag"


@dataclass(frozen=True)
class HubName:
    """A parsed name of a model on the hub: the repository, and the model in it."""

    repo: str
    tag: str | None = None
    file: str | None = None
    revision: str = "main"

    def __str__(self) -> str:
        if self.revision != "main":
            end = f"/{self.file}" if self.file else ""
            return f"https://huggingface.co/{self.repo}/{'blob' if end else 'tree'}/{self.revision}{end}"
        return self.repo + (f"/{self.file}" if self.file else f":{self.tag}" if self.tag else "")


@dataclass(frozen=True)
class OllamaName:
    """A parsed name of a model of an Ollama registry."""

    model: str
    tag: str = "latest"
    owner: str = "library"
    host: str = "registry.ollama.ai"

    def __str__(self) -> str:
        host = "" if self.host == "registry.ollama.ai" else f"{self.host}/"
        owner = "" if self.owner == "library" and not host else f"{self.owner}/"
        return f"ollama:{host}{owner}{self.model}:{self.tag}"


def endpoint() -> str:
    """Returns the hub's address: `HF_ENDPOINT`, or huggingface.co."""
    return (os.environ.get("HF_ENDPOINT") or "https://huggingface.co").rstrip("/")


def parse_name(name: str) -> HubName | OllamaName | None:
    """Parses the name of a model to download; None for a path or a plain word.

    >>> [str(parse_name(name)) for name in ("hf.co/org/repo:Q8_0", "ollama:qwen3", "models/a.gguf")]
    ['org/repo:Q8_0', 'ollama:qwen3:latest', 'None']
    """
    if name.startswith("ollama:"):
        return _ollama(name)
    if name.startswith(("https://", "http://")):
        return _url(name)
    head, slash, rest = name.partition("/")
    if name.startswith("hf:"):
        return _repo(name, name[3:].removeprefix("//"))
    if slash and head.lower() in _HOSTS:
        return _repo(name, rest)
    if name.startswith((".", "/", "~")) or "\\" in name or (name.count("/") < 2 and name.lower().endswith(_FILES)):
        return None
    try:
        return _repo(name, name)
    except RlxError:
        return None


def _repo(name: str, text: str) -> HubName:
    """Parses `org/repo`, with `:TAG` or `/folder/file.gguf`."""
    text, _, tag = text.rstrip("/").partition(":")
    repo, file = "/".join(text.split("/")[:2]), "/".join(text.split("/")[2:])
    tag = "" if tag.lower() == "latest" else tag
    if _REPO.fullmatch(repo) and (not tag or (_TAG.fullmatch(tag) and not file)) and _is_gguf(file):
        return HubName(repo, tag or None, file or None)
    raise _unclear(name)


def _url(name: str) -> HubName:
    """Parses an address of the hub: a repository, one of its revisions, a GGUF file."""
    url, own = urlsplit(name), urlsplit(endpoint())
    if (url.hostname or "") not in _HOSTS and url.netloc != own.netloc:
        raise RlxError("RLX708", f"{name} is not an address of {own.netloc}", fix=f"names are: {_FORMS}", at=None)
    parts = [unquote(part) for part in url.path.split("/") if part]
    repo, rest = "/".join(parts[:2]), parts[2:]
    if rest[:1] in (["blob"], ["resolve"], ["tree"]) and len(rest) > 1:
        file = "/".join(rest[2:])
        if _REPO.fullmatch(repo) and _is_gguf(file) and safe_name(rest[1]):
            return HubName(repo, None, file or None, rest[1])
    if rest:
        raise _unclear(name)
    return _repo(name, repo)


def _is_gguf(file: str) -> bool:
    return not file or (file.lower().endswith(".gguf") and safe_name(file))


def _ollama(name: str) -> OllamaName:
    text = name.removeprefix("ollama:").removeprefix("//")
    path, colon, tag = text.rpartition(":")
    if not colon or "/" in tag:
        path, tag = text, "latest"
    *before, model = path.split("/")
    owner, host = (before or ["library"])[-1], "/".join(before[:-1]) or "registry.ollama.ai"
    if len(before) <= 2 and all(_TAG.fullmatch(one) for one in (owner, model, tag, host.replace(":", "."))):
        return OllamaName(model, tag, owner, host)
    raise _unclear(name)


def _unclear(name: str) -> RlxError:
    return RlxError("RLX708", f"{name!r:.200} is not the name of a model", fix=f"names are: {_FORMS}", at=None)


_DEVICE_NAMES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def safe_name(name: str) -> bool:
    """Returns whether a name from a listing is a plain relative path on every system.

    >>> [safe_name(name) for name in ("a/b.gguf", "../b", "/b", "C:b", "a\\\\b", "nul.txt", "a//b", "a.")]
    [True, False, False, False, False, False, False, False]
    """
    if not name.isprintable() or len(name) > 1000 or any(mark in name for mark in '\\:*?"<>|'):
        return False
    return all(
        part == part.strip(" ") and part.rstrip(".") == part and 0 < len(part.encode()) < 256 and not _DEVICE_NAMES.fullmatch(part)
        for part in name.split("/")
    )  # fmt: skip


def find_model(name: str | Path, *, download: bool = False, progress: Callable[[str, int, int], None] | None = None) -> Path:
    """Finds the path of a model: an existing path, an installed model, or one in the caches of the hub, Ollama and LM Studio.

    What is not on this machine is downloaded if `download` is true; otherwise RLX708 names the command that does it.

    >>> find_model("smollm2").suffix
    '.gguf'
    """
    path = as_path(name, "load_model")
    if not isinstance(name, str) or _exists(path):
        return path
    if name in INSTALLED:
        installed = installed_path(name)
        if installed is None:
            raise RlxError("RLX303", f"the model {name} is not installed", fix=INSTALLED[name].command, at=None)
        return installed
    remote = parse_name(name)
    stored = _find_download(remote)
    if stored is not None:
        return stored
    listed = found_models()
    match = next((model.path for model in listed if model.name in (name, f"{name}:latest")), None)
    if match is not None:
        return match
    if remote is None or not download:
        raise _not_found(name, remote, [*INSTALLED, *(model.name for model in listed)])
    from rlx.hub.pull import pull

    return pull(remote, progress)


def _find_download(remote: HubName | OllamaName | None) -> Path | None:
    """Finds the path of a model that was downloaded under a name."""
    if isinstance(remote, HubName):
        return stored_from_hub(remote.repo, remote.tag, remote.file, remote.revision)
    return None if remote is None else stored_by_ollama(remote.host, remote.owner, remote.model, remote.tag)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # too long, or with a zero byte
        return False


def _not_found(name: str, remote: HubName | OllamaName | None, known: list[str]) -> RlxError:
    close = did_you_mean(name, known)
    if remote is not None:
        text = str(remote) if isinstance(remote, OllamaName) or remote.revision == "main" else name
        ways = f"rlx pull {text} downloads it; in Python load_model({name!r}, download=True)"
        message = f"{name} is not on this machine: no such file or folder, and no downloaded model of this name"
        return RlxError("RLX708", message, fix=f"{close} {ways}".strip(), at=None)
    if name.startswith((".", "/", "~")) or "\\" in name or name.lower().endswith(_FILES):
        beside = Path(name).parent
        names = [one.name for one in beside.iterdir()] if beside.is_dir() else []
        close = did_you_mean(Path(name).name, names) or close
        return RlxError(
            "RLX303", f"{name:.500}: no such file or folder", fix=close or "pass the path of a file or folder that exists", at=None
        )
    fix = f"{close} `rlx list` shows the models on this machine; names to download are: {_FORMS}".strip()
    return RlxError("RLX708", f"{name:.200} is not the name of a model", fix=fix, at=None)
