"""Servers for tests: small models of random weights, and models that answer with what the user wrote."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from rlx.generate.engine import Engine
from rlx.generate.results import EngineStats, Generation, Piece
from rlx.models import Model
from rlx.serve.limits import ServeLimits
from rlx.serve.main import ServeSettings, bind, make_server
from rlx.serve.models import ModelList, ServedModel, served
from rlx.serve.state import ServerState
from tests.generate.tiny import attention_model, byte_tokenizer

PLAIN = "{% for m in messages %}<turn>{{ m.role }}:{{ m.content }}<end>{% endfor %}<turn>assistant:"
TOOLS = "{% if tools %}<turn>tools:{{ tools | tojson }}<end>{% endif %}" + PLAIN
TEMPLATES = {
    "echo": PLAIN,
    "echo-hermes": TOOLS + "{# <tool_call> #}",
    "echo-llama3": TOOLS + "{# <|python_tag|> #}",
    "echo-mistral": TOOLS + "{# [TOOL_CALLS] #}",
    "echo-deepseek": TOOLS + "{# <｜tool▁call▁begin｜> #}",
    "echo-granite": TOOLS + "{# <|tool_call|> #}",
    "echo-qwen-xml": TOOLS + "{# <function= #}",
    "echo-pythonic": TOOLS + "{# [func_name1(params_name1=params_value1)] #}",
    "echo-pythonic-marked": TOOLS + "{# <|tool_call_start|> #}",
    "echo-harmony": TOOLS + "{# <|channel|>analysis #}",
    "echo-glm": TOOLS + "{# <arg_key> #}",
    "echo-think": PLAIN + "{% if enable_thinking is not false %}<think>\n{% endif %}{# </think> #}",
}
CONTEXT = 96  # of the tiny model


class EchoStream:
    """Pieces of a given text; `wait` goes on for ever, `silent` never says anything, `fail` fails."""

    def __init__(self, engine: EchoEngine, ids: list[int], text: str, sampling: Any, n: int) -> None:
        self.engine, self.prompt, self.sampling, self.n = engine, ids, sampling, n
        self.given = [0] * n
        self.text, self.cancelled = text, False
        self.most = sampling.max_tokens if sampling.max_tokens is not None else 10**9
        self.ended = ["cancelled"] * n
        self.stops: list[str | None] = [None] * n

    @property
    def results(self) -> list[Generation]:
        return [
            Generation(self.text[:given], tuple(self.text[:given].encode()), finish, len(self.prompt), 0, stop=stop)
            for given, finish, stop in zip(self.given, self.ended, self.stops, strict=True)
        ]

    def cancel(self) -> None:
        self.cancelled = True

    async def __aiter__(self) -> AsyncIterator[Piece]:
        self.engine.running.add(self)
        try:
            while self.text.startswith(("wait", "silent")) and not self.cancelled:
                if self.text.startswith("wait"):
                    yield Piece(".", 0)
                await asyncio.sleep(0.005)
            if self.text.startswith("fail"):
                raise RuntimeError("as the test wants it")
            for row in range(self.n):
                for start in range(0, len(self.text), 3):
                    if self.cancelled:
                        return
                    end = min(start + 3, len(self.text), self.most)
                    found = [self.text.find(stop, 0, end) for stop in self.sampling.stop]
                    hit = min((place for place in found if place >= 0), default=None)
                    if hit is not None:
                        self.stops[row] = next(s for s in self.sampling.stop if self.text.startswith(s, hit))
                        end = hit
                    held = max(
                        (k for s in self.sampling.stop for k in range(1, len(s)) if self.text[:end].endswith(s[:k])), default=0
                    )
                    shown = end if hit is not None or end == len(self.text) else end - held
                    if shown > self.given[row]:
                        yield Piece(self.text[self.given[row] : shown], row)
                        self.given[row] = shown
                    if hit is not None or end >= self.most:
                        break
                    await asyncio.sleep(0)
                self.ended[row] = (
                    "stop" if self.stops[row] is not None or self.given[row] == len(self.text) < self.most else "length"
                )
        finally:
            self.engine.running.discard(self)


class EchoEngine(Engine):
    """Answers with the last message of the user, or after a prompt of plain text with that text."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self.running: set[EchoStream] = set()
        self.asked: list[Any] = []  # (prompt, sampling), newest last

    def submit_async(self, prompt: Any, sampling: Any = None, *, n: int = 1, **how: Any) -> Any:
        text = self.model.tokenizer.decode(prompt, special=True)
        self.asked.append((text, sampling))
        said = re.findall(r"<turn>user:(.*?)<end>", text, re.S)
        rest = text.rpartition("assistant:")[2].removeprefix("<think>\n")
        return EchoStream(self, prompt, said[-1].removeprefix(rest) if said else text, sampling, n)

    @property
    def capacity(self) -> int:
        return 10**6

    def stats(self) -> EngineStats:
        return replace(super().stats(), running=len(self.running))


def echo(name: str, template: str) -> ServedModel:
    engine = EchoEngine(attention_model(tokenizer=byte_tokenizer(chat_template=template)))
    return ServedModel(name, engine.model, engine)


def tiny(name: str = "tiny") -> ServedModel:
    return served(attention_model(tokenizer=byte_tokenizer(chat_template=PLAIN)), name, aliases=(f"{name}-alias",))


class TestServer:
    """A server in a thread, at a free port of this machine."""

    __test__ = False

    def __init__(
        self, models: list[ServedModel], limits: ServeLimits | None = None, strict: bool = False, grace: float = 2.0
    ) -> None:
        self.state = ServerState(ModelList(models), limits or ServeLimits(), strict)
        settings = ServeSettings((), port=0, grace=grace)
        self.socket = bind(settings)
        self.port = self.socket.getsockname()[1]
        self.server = make_server(self.state, settings)
        self.thread = threading.Thread(target=lambda: self.server.run(sockets=[self.socket]), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def engine(self, name: str) -> Any:
        return self.state.models.find(name).engine

    def start(self) -> TestServer:
        self.thread.start()
        while not self.server.started:
            time.sleep(0.005)
        return self

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(30)
        assert not self.thread.is_alive()


@contextmanager
def running(*models: ServedModel, **settings: Any) -> Iterator[TestServer]:
    server = TestServer(list(models), **settings).start()
    try:
        yield server
    finally:
        server.stop()


def until(condition: Any, seconds: float = 5.0) -> None:
    """Wait for something that another thread does."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.005)
