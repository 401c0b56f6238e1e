"""rlx run and rlx embed: one prompt, one answer; texts and their vectors."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from rlx.cli.open_model import CommandSettings, as_json, open_engine, open_model, speed_line
from rlx.cli.progress import Bars
from rlx.core.errors import RlxError
from rlx.generate.engine import Engine, Stream

__all__ = ["embed_texts", "run_prompt"]


def run_prompt(
    name: str, prompt: str, settings: CommandSettings, *, system: str | None, raw: bool, as_data: bool
) -> int:
    """Stream the answer to stdout, then the speed to stderr; returns the exit code."""
    text = sys.stdin.read() if prompt == "-" else prompt
    if not text:
        raise RlxError("RLX903", "the prompt is empty", fix='rlx run MODEL "a question"', at=None)
    begun = time.perf_counter()
    with Bars() as bars:
        engine = open_engine(name, settings, bars)
        stream = _open_stream(
            engine, text, settings, system, raw
        )  # checks that the prompt fits before anything is compiled
        engine.prepare()
    loading, code = time.perf_counter() - begun, 0
    try:
        for piece in stream:
            if not as_data:
                print(piece, end="", flush=True)
    except KeyboardInterrupt:
        code = 130
    found = stream.result
    if as_data:
        print(json.dumps(as_json(found, loading), ensure_ascii=False))
        return code
    print()
    for note in found.notes:
        print(note, file=sys.stderr)
    print(speed_line(found, settings, loading), file=sys.stderr)
    return code


def _open_stream(engine: Engine, text: str, settings: CommandSettings, system: str | None, raw: bool) -> Stream:
    """Through the model's chat template if it has one, else unchanged."""
    if raw or (engine.model.chat_template is None and system is None):
        return engine.stream(text, overflow=settings.overflow, **settings.sampling)
    messages = [{"role": "system", "content": system}] if system is not None else []
    return engine.stream_chat(
        [*messages, {"role": "user", "content": text}], overflow=settings.overflow, **settings.sampling
    )


def embed_texts(name: str, texts: Sequence[str], settings: CommandSettings, *, as_data: bool) -> None:
    """Embed texts: all values as JSON, or the first values of each vector and the cosine similarities."""
    with Bars() as bars:
        vectors = open_model(name, settings, bars).embed(list(texts))
    if as_data:
        print(json.dumps([vector.tolist() for vector in vectors]))
        return
    table = Table(
        title=f"{len(texts)} vectors of {vectors.shape[1]} values, and their cosine similarities", title_justify="left"
    )
    for heading in ("", "text", "vector", *(str(number) for number in range(len(texts)))):
        table.add_column(heading, justify="left" if heading in ("text", "vector") else "right")
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    for number, text in enumerate(texts):
        begin = " ".join(f"{value:.4f}" for value in vectors[number, :4]) + " …"
        table.add_row(str(number), escape(text[:60]), begin, *(f"{cosine:.3f}" for cosine in unit @ unit[number]))
    Console().print(table)
