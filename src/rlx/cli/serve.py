"""rlx serve, rlx ps: a server, and what a running one does."""

from __future__ import annotations

import json
import os
import urllib.error
import urllib.request
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from rlx.cli.model_commands import MODELS
from rlx.cli.model_names import FORMS, Yes, on_this_machine
from rlx.cli.progress import Bars, byte_size
from rlx.core.errors import RlxError

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
    host: Annotated[str, typer.Option(help="Address to listen at; the default is this machine only.")] = "127.0.0.1",
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
    per_key: Annotated[int, typer.Option(help="Requests of one key at once; 0: no limit.", min=0)] = 0,
    max_body: Annotated[int, typer.Option(help="Largest request, in bytes.", min=1)] = 8 << 20,
    timeout: Annotated[float, typer.Option(help="Seconds that an answer may take.", min=0.1)] = 600.0,
    grace: Annotated[float, typer.Option(help="Seconds that answers have to finish after SIGTERM.", min=0.0)] = 30.0,
    share_prefixes: Annotated[
        list[str] | None,
        typer.Option(metavar="GROUP", help="Keys that share computed prompts: their numbers, as in 1,3, or all; repeatable."),
    ] = None,
    cors: Annotated[list[str] | None, typer.Option(help="An origin whose pages may use the server; repeatable.")] = None,
    allowed_host: Annotated[
        list[str] | None, typer.Option(help="A name that requests may ask for it by; repeatable, * is any.")
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
    api_key: Annotated[str | None, typer.Option(help=f"Its key, if it needs one; or {KEY}.")] = None,
    as_data: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show what a running server does: its models, sequences, pages and prefix hits."""
    rows = _asked(f"{url.rstrip('/')}/slots", api_key or os.environ.get(KEY))
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


def _asked(url: str, key: str | None) -> Any:
    """The JSON at an address; an error in words."""
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
    """Add the commands."""
    for name, command in (("serve", serve), ("ps", ps)):
        app.command(name, rich_help_panel=MODELS)(command)
