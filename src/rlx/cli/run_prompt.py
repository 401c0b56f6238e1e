"""rlx run and rlx embed: one prompt, one answer; texts and their vectors."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from rlx.cli.open_model import CommandSettings, Start, as_json, open_engine, open_model, speed_line
from rlx.cli.progress import Bars
from rlx.cli.starting import starting
from rlx.core.counted import counted
from rlx.core.errors import RlxError
from rlx.generate.engine import Engine, Stream


def run_prompt(name: str, prompt: Sequence[str], settings: CommandSettings, *, system: str | None, raw: bool, as_data: bool) -> int:
    """Stream the answer to stdout, then the speed to stderr; returns the exit code. No words, or `-` among them: stdin."""
    words = prompt or ("-",)
    text = " ".join(sys.stdin.read() if word == "-" else word for word in words)
    if not text.strip():
        raise RlxError("RLX903", "the prompt is empty", fix='rlx run MODEL "a question"', at=None)
    with Bars() as bars:
        engine = open_engine(name, settings, bars)
        asked = starting.seconds()
        # checks that the prompt fits before anything is compiled
        stream = _open_stream(engine, text, settings, system, raw)
        engine.prepare()
        start = Start(asked, starting.seconds())
    code = 0
    try:
        for piece in stream:
            if not as_data:
                print(piece, end="", flush=True)
    except KeyboardInterrupt:
        code = 130
    found = stream.result
    if as_data:
        print(json.dumps(as_json(found, start), ensure_ascii=False))
        return code
    print()
    for note in found.notes:
        print(note, file=sys.stderr)
    print(speed_line(found, settings, start), file=sys.stderr)
    return code


def _open_stream(engine: Engine, text: str, settings: CommandSettings, system: str | None, raw: bool) -> Stream:
    """Through the model's chat template if it has one, else unchanged."""
    if raw or (engine.model.chat_template is None and system is None):
        return engine.stream(text, overflow=settings.overflow, **settings.sampling)
    messages = [{"role": "system", "content": system}] if system is not None else []
    return engine.stream_chat([*messages, {"role": "user", "content": text}], overflow=settings.overflow, **settings.sampling)


def embed_texts(name: str, texts: Sequence[str], settings: CommandSettings, *, as_data: bool) -> None:
    """Embed texts: all values as JSON, or the first values of each vector and the cosine similarities."""
    with Bars() as bars:
        vectors = open_model(name, settings, bars).embed(list(texts))
    if as_data:
        print(json.dumps([vector.tolist() for vector in vectors]))
        return
    table = Table(
        title=f"{counted(len(texts), 'vector')} of {vectors.shape[1]} values, and their cosine similarities", title_justify="left"
    )
    for heading in ("", "text", "vector", *(str(number) for number in range(len(texts)))):
        table.add_column(heading, justify="left" if heading in ("text", "vector") else "right")
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    for number, text in enumerate(texts):
        begin = " ".join(f"{value:.4f}" for value in vectors[number, :4]) + " …"
        table.add_row(str(number), escape(text[:60]), begin, *(f"{cosine:.3f}" for cosine in unit @ unit[number]))
    Console().print(table)
