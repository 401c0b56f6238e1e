"""The process: opens models, binds a socket, and serves until it is stopped."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import ssl
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import uvicorn

from rlx.core.errors import RlxError
from rlx.core.this_process import kept_for_good
from rlx.generate.api import load_model
from rlx.generate.grammar_state import grammar_tokens
from rlx.generate.sampling_settings import end_ids
from rlx.generate.template import start_worker
from rlx.hub import find_model
from rlx.runtime.threads import set_threads
from rlx.serve.app import make_app
from rlx.serve.connections import IDLE_SECONDS, connection_class
from rlx.serve.limits import Guard, HostNames, ServeLimits, is_loopback
from rlx.serve.models import ModelList, ServedModel, name_of, served
from rlx.serve.request_reading import small_requests
from rlx.serve.state import ServerState

SWITCH_SECONDS = 0.0001
"""Python's switch interval: the event loop and the engine wait for other threads at every step."""


@dataclass(frozen=True)
class ServeSettings:
    """The command-line options of `rlx serve`."""

    models: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    host: str = "127.0.0.1"
    port: int = 8080
    context: int | None = None
    slots: int = 64
    threads: int | None = None
    kv_memory: int | None = None  # bytes for keys and values of each model; None: together a quarter of what is free
    exact: bool = False
    cert: str | None = None
    key: str | None = None
    grace: float = 30.0
    strict: bool = False
    log_text: bool = False
    limits: ServeLimits = field(default_factory=ServeLimits)


def open_models(settings: ServeSettings, progress: Callable[[str, int, int], None] | None = None) -> ModelList:
    """Opens the models of the command line, in order, with their aliases."""
    aliases = aliases_of(settings.aliases, settings.models)
    if settings.threads is not None:
        set_threads(settings.threads)
    opened: list[ServedModel] = []
    memory = settings.kv_memory or 0.25 / len(settings.models)
    for number, name in enumerate(settings.models):
        model = load_model(find_model(name), progress=progress, quant_mode="exact" if settings.exact else "fast")
        one = served(
            model, name_of(name), context=settings.context, slots=settings.slots, aliases=aliases[number], kv_memory=memory
        )
        threading.Thread(target=model.tokenizer.prepare, name="rlx-tokenizer", daemon=True).start()  # for long texts
        one.engine.prepare()  # the first caller does not wait for the compiler,
        if not one.embeds:
            grammar_tokens(model.tokenizer, end_ids(model))  # nor for the first grammar
            start_worker(model.chat_template, count=2)  # beside the one that a slow conversation has
        opened.append(one)
    return ModelList(opened)


def aliases_of(aliases: Sequence[str], models: Sequence[str]) -> list[tuple[str, ...]]:
    """Assigns aliases to models. `ALIAS=MODEL` names the model; else the first alias is the first model's, a single model has all.

    >>> aliases_of(["gpt-4o", "claude"], ["smollm2"]), aliases_of(["small", "big=b.gguf", "B=b"], ["a", "b.gguf"])
    ([('gpt-4o', 'claude')], [('small',), ('big', 'B')])
    """
    by_model: list[list[str]] = [[] for _ in models]
    indices = dict(reversed([(name, index) for index, model in enumerate(models) for name in (model, name_of(model))]))
    plain = 0
    for given in aliases:
        alias, equals, model = given.rpartition("=")
        if not equals:
            alias, index, plain = given, 0 if len(models) == 1 else plain, plain + 1
        elif model in indices:
            index = indices[model]
        else:
            raise RlxError("RLX907", f"--alias {given}: there is no MODEL {model!r}", fix=", ".join(indices), at=None)
        if not alias or index >= len(models):
            message = f"--alias {given} names none of the {len(models)} models" if alias else f"--alias {given!r} has no name"
            raise RlxError("RLX907", message, fix="--alias ALIAS=MODEL", at=None)
        if alias in indices or any(alias in names for names in by_model):
            raise RlxError("RLX907", f"--alias {given}: the name {alias!r} is taken", fix="another name", at=None)
        by_model[index].append(alias)
    return [tuple(names) for names in by_model]


class RlxServer(uvicorn.Server):
    """Uvicorn's server. When it is stopped, running answers have `grace` seconds to finish; then they end with an error."""

    def __init__(self, config: uvicorn.Config, state: ServerState, guard: Guard, grace: float) -> None:
        super().__init__(config)
        self.state, self.guard, self.grace = state, guard, grace
        self.on_start: Callable[[], None] = lambda: None  # called once it listens

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Opens the server's sockets, then calls `on_start`."""
        asyncio.get_running_loop().set_default_executor(small_requests())
        await super().startup(sockets)
        self.on_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Refuses new requests; running ones finish or are ended. Until then /health reports that the server is draining."""
        self.state.draining = self.guard.draining = True
        ending = asyncio.get_running_loop().call_later(self.grace, self.state.drain)
        try:
            while self.guard.running and not self.state.over and not self.force_exit:
                await asyncio.sleep(0.05)
            await super().shutdown(sockets)
        finally:
            ending.cancel()
            self.state.models.close()


def make_server(state: ServerState, settings: ServeSettings) -> RlxServer:
    """Builds a server that is not running yet."""
    limits = state.limits
    app = make_app(state, HostNames(settings.host, limits.hosts, has_keys=bool(limits.keys)))
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        http=connection_class(limits),
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="off",
        ssl_certfile=settings.cert,
        ssl_keyfile=settings.key,
        timeout_graceful_shutdown=int(settings.grace) + 5,
        timeout_keep_alive=int(IDLE_SECONDS),
    )
    return RlxServer(config, state, app, settings.grace)


def serve(settings: ServeSettings, models: ModelList, bound: socket.socket, say: Callable[[str], None] = print) -> None:
    """Serves models at a socket until SIGTERM or Ctrl-C."""
    sys.setswitchinterval(SWITCH_SECONDS)
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # a thread for each text, and none that others wait for
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(message)s", stream=sys.stderr)
    logging.getLogger("rlx.serve").setLevel(logging.INFO)
    server = make_server(ServerState(models, settings.limits, settings.strict, settings.log_text), settings)
    warn(settings, say)
    scheme, port = "https" if settings.cert else "http", bound.getsockname()[1]
    text = f"serving {', '.join(name for name, _ in models.names())} at {scheme}://{settings.host}:{port}"
    server.on_start = lambda: say(text)
    with kept_for_good():
        server.run(sockets=[bound])


def bind(settings: ServeSettings) -> socket.socket:
    """Binds the listening socket. RLX907 for an address that is in use, or a certificate that cannot be read."""
    if settings.cert is not None:
        try:
            ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(settings.cert, settings.key)
        except (OSError, ssl.SSLError) as error:
            message = f"--cert {settings.cert} and --key {settings.key}: {error.strerror or error}"
            raise RlxError("RLX907", message, fix="PEM files that belong together", at=None) from None
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # by this number asyncio knows that it may set TCP_NODELAY
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((settings.host, settings.port))
    except OSError as error:
        bound.close()
        fix = "another --host or --port"
        raise RlxError("RLX907", f"{settings.host}:{settings.port}: {error.strerror}", fix=fix, at=None) from None
    return bound


def warn(settings: ServeSettings, say: Callable[[str], None]) -> None:
    """Prints warnings for servers that other machines can reach."""
    if not is_loopback(settings.host):
        keyless = "" if settings.limits.keys else ", and no --api-key is set: anyone who reaches it can use it"
        say(f"warning: {settings.host} is reachable from other machines{keyless}")
        if settings.cert is None:
            say("warning: no --cert: traffic is not encrypted")
