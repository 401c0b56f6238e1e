"""Records the bodies that clients send, from their packages on PyPI and npm: `python -m tests.serve.record_clients [CLIENT ...]`.

Each package is installed into a temporary folder (`--folder` keeps it) and run, in a network namespace of its own, against `rlx serve`
with a model that plays a list of answers. What was asked becomes tests/serve/corpus/CLIENT.json. Texts that others wrote are not in it:
a mark `{{text 1234}}` stands where a sentence of 1,234 characters was, and `recording.expanded` puts filler in its place.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.serve.clients.table import CLIENTS, FILES, Client

HERE = Path(__file__).parent
CORPUS = HERE / "corpus"
SECONDS = 400
APART = ("unshare", "-rn", "--pid", "--fork", "--kill-child", "--mount-proc")  # no network, and daemons end with it


def install(client: Client, folder: Path) -> None:
    """The packages, if they are not there yet."""
    if folder.exists():
        return
    if client.kind == "npm":
        commands = [["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), *client.packages]]
    else:
        pip = [str(folder / "bin/pip"), "install", "-q", "--no-cache-dir", *client.packages]
        commands = [[sys.executable, "-m", "venv", str(folder)], pip]
    folder.mkdir(parents=True)
    for command in [*commands, *client.prepare]:
        subprocess.run([part.replace("PACKAGES", str(folder)) for part in command], check=True, timeout=1800)


def record(client: Client, packages: Path) -> None:
    """Run a client's commands and write what they asked; this is in a network namespace."""
    from tests.serve.agent_run import bring_up_loopback
    from tests.serve.recording import recording
    from tests.serve.scripted import scripted

    bring_up_loopback()
    with tempfile.TemporaryDirectory(prefix="clients") as name:
        places = {"PACKAGES": str(packages), "CLIENTS": str(HERE / "clients")}
        places |= {"PROJECT": f"{name}/project", "HOME": f"{name}/home"}
        model = scripted("scripted", [filled(answer, places) for answer in client.answers], client.aliases)
        model.engine.aside = client.aside
        with recording(model) as (server, requests):
            run(client, packages, {**places, "URL": server.url})
        for one in requests:
            print(one["method"], one["path"], one.get("status"), len(json.dumps(one.get("body"))))
        text = as_file(client, requests)
        for word in ("PROJECT", "HOME", "PACKAGES"):
            text = text.replace(places[word], f"/{word.lower()}")
    CORPUS.mkdir(exist_ok=True)
    (CORPUS / f"{client.name}.json").write_text(text + "\n")


def filled(text: Any, places: Mapping[str, str]) -> Any:
    """A text with the places that its words name; answers may be functions."""
    if callable(text):
        return text
    for word, value in places.items():
        text = text.replace(word, value)
    return text


def run(client: Client, packages: Path, places: Mapping[str, str]) -> None:
    """A client's commands, in a project with a wrong program and a home of their own."""
    for folder in ("PROJECT", "HOME"):
        Path(places[folder]).mkdir()
    for path, text in {**FILES, **client.files}.items():
        target = Path(filled(path, places))
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(filled(text, places))
    tools = packages / ("node_modules/.bin" if client.kind == "npm" else "bin")
    environment = {"HOME": places["HOME"], "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1"}
    environment |= {key: filled(value, places) for key, value in client.environment.items()}
    for step in client.steps:
        command = [filled(part, places) for part in step]
        settings: Any = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True, "timeout": SECONDS}
        done = subprocess.run(command, cwd=places["PROJECT"], env=environment, **settings)
        print(f"{client.name}: {command[0]} ended with {done.returncode}")
        if done.returncode:
            print(done.stdout[-3000:], done.stderr[-3000:])


def as_file(client: Client, requests: Sequence[dict[str, Any]]) -> str:
    """The corpus of one client: the requests that have a body, and the paths of the others."""
    from tests.serve.recording import shortened

    kept = [
        {**{name: one[name] for name in ("method", "path", "headers")}, "body": shortened(one["body"], client.own)}
        for one in requests
        if one.get("body")
    ]
    found = {"client": client.name, "packages": client.packages, "origin": client.origin, "requests": kept}
    found["other_paths"] = sorted({f"{one['method']} {one['path']}" for one in requests if not one.get("body")})
    return json.dumps(found, separators=(",", ":"), ensure_ascii=False)


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clients", nargs="*", metavar="CLIENT", help=f"of {', '.join(CLIENTS)}; all by default")
    parser.add_argument("--folder", type=Path, help="where packages are kept")
    parser.add_argument("--installed", action="store_true", help=argparse.SUPPRESS)  # in the namespace
    asked = parser.parse_args(arguments)
    folder = asked.folder or Path(tempfile.mkdtemp(prefix="packages"))
    try:
        for name in asked.clients or CLIENTS:
            client = CLIENTS[name]
            packages = folder / client.name
            if asked.installed:
                record(client, packages)
                continue
            install(client, packages)
            again = [sys.executable, "-m", "tests.serve.record_clients", name, "--folder", str(folder), "--installed"]
            subprocess.run([*APART, *again], check=True, cwd=HERE.parents[1])
    finally:
        if asked.folder is None:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
