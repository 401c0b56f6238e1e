"""Downloads from an Ollama registry into Ollama's own store, where Ollama finds them too."""

from __future__ import annotations

import json
import urllib.error
from pathlib import Path
from urllib.parse import urlsplit

from rlx.core.errors import RlxError
from rlx.core.files import written_whole
from rlx.hub.client import Client, RemoteFile
from rlx.hub.names import OllamaName
from rlx.hub.pull import Download, remote_file
from rlx.hub.stored import model_layer, ollama_stores

_LOCAL = ("localhost", "127.0.0.1")
_MANIFEST = "application/vnd.docker.distribution.manifest.v2+json"


def from_registry(name: OllamaName) -> Download:
    """What a download would fetch: the layers that the manifest names."""
    scheme = "http" if urlsplit(f"//{name.host}").hostname in _LOCAL else "https"
    base = f"{scheme}://{name.host}"
    client = Client(base, None, lambda error: _refused(error, name))
    place = f"{base}/v2/{name.owner}/{name.model}"
    content, _ = client.data(f"{place}/manifests/{name.tag}", {"Accept": _MANIFEST}, 1 << 20)
    root = ollama_stores()[0]
    try:
        manifest = json.loads(content)
        main, layers = model_layer(manifest).removeprefix("sha256:"), [manifest["config"], *manifest["layers"]]
        kinds = {str(layer["digest"]): str(layer["mediaType"]).rpartition(".")[2] for layer in layers}
        found = [
            remote_file(f"{name} {kinds[layer['digest']]}", f"{place}/blobs/{layer['digest']}", layer["size"], layer["digest"])
            for layer in layers
        ]
    except (ValueError, KeyError, TypeError, AttributeError, StopIteration, RecursionError):
        found, main = [None], ""
    files = {file.digest: file for file in found if file is not None and len(file.digest) == 64}
    if len(files) < len({file.digest for file in found if file}) or None in found or main not in files:
        raise RlxError("RLX709", f"{base}: the manifest of {name} makes no sense", fix="check the name", at=None)

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


def _refused(error: urllib.error.HTTPError, name: OllamaName) -> RlxError:
    if error.code in (401, 403, 404):
        return RlxError("RLX708", f"{name.host} has no {name}", fix="check the name and the tag", at=None)
    return RlxError("RLX709", f"{name.host}: {error.code} {error.reason}", fix="try again later", at=None)
