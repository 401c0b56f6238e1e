"""rlx inspect and rlx bench on models: the contents of a file, the memory it needs, its speed on this machine."""

from __future__ import annotations

import dataclasses
import json
import os
import statistics
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from rlx.backends.base import Limits
from rlx.backends.registry import find_backend
from rlx.cli.model_commands import CommandSettings, open_model
from rlx.cli.train import Bars
from rlx.core.dim import Dim, evaluate
from rlx.core.errors import count_of
from rlx.core.files import open_regular
from rlx.generate.api import LanguageModel
from rlx.generate.runner import Runner
from rlx.hub import find_model
from rlx.ir.attributes import REQUIRED
from rlx.ir.op import OPS, OpDef
from rlx.ir.text import read_file
from rlx.models import Shapes
from rlx.module.parse_and_load import load
from rlx.runtime.compile import lower

_CHUNK = 512


def is_model(path: Path) -> bool:
    """Returns whether a path is a model: a folder, or a file with the GGUF magic bytes."""
    if path.is_dir():
        return True
    with open_regular(path) as file:
        return file.read(4) == b"GGUF"


def inspect_model(console: Console, name: str, context: int | None, *, as_data: bool) -> None:
    """Prints a model's architecture, settings, tensors by type, memory at a context length. The weights are not read."""
    model = open_model(name, CommandSettings())
    length = min(context or min(model.config.context_length, 4096), model.config.context_length)
    tensors, memory = _tensors(model), estimate_memory(model, length)
    if as_data:
        sizes = {what.replace(" ", "_"): size for what, size in memory.items()}
        data = {"model": model_data(model), "tensors": tensors, "context": length, "memory": sizes}
        print(json.dumps(data, ensure_ascii=False, allow_nan=False))
        return
    facts = _facts(model)
    console.print(escape(str(model.source.path)), soft_wrap=True)
    table = Table(show_header=False)
    for key, value in facts.items():
        table.add_row(key, escape(str(value)))
    console.print(table)
    table = Table(title="Tensors by type", title_justify="left")
    for heading in ("type", "tensors", "weights", "MB"):
        table.add_column(heading, justify="left" if heading == "type" else "right")
    for row in tensors:
        table.add_row(row["type"], str(row["tensors"]), f"{row['weights'] / 1e6:.2f} M", f"{row['bytes'] / 1e6:.1f}")
    console.print(table)
    console.print(f"Memory at a context of {length} tokens, one sequence")
    table = Table()
    table.add_column("what")
    table.add_column("MB", justify="right")
    for what, size in memory.items():
        table.add_row(what, f"{size / 1e6:.1f}")
    table.add_row("in all", f"{sum(memory.values()) / 1e6:.1f}")
    console.print(table)


def model_data(model: LanguageModel) -> dict[str, Any]:
    """Converts the config and the tokenizer to JSON data: numbers, booleans, lists, names; None for what is not set."""
    tokenizer, template = model.tokenizer, model.chat_template
    return {
        **{name: _as_json(value) for name, value in _settings(model).items()},
        "tokenizer": {
            "vocabulary": tokenizer.vocabulary,
            "eos": sorted(tokenizer.eos),
            "bos": tokenizer.bos,
            "adds_bos": bool(tokenizer.add_bos),
        },
        "chat_template_characters": None if template is None else len(template),
    }


def _settings(model: LanguageModel) -> dict[str, Any]:
    """Lists the config by field; fields of experts only where a model has some."""
    settings = {entry.name: getattr(model.config, entry.name) for entry in dataclasses.fields(model.config)}
    return settings if settings.get("experts") else {k: v for k, v in settings.items() if not k.startswith("experts_")}


def _as_json(value: Any) -> Any:
    """Converts a setting to JSON data; floats without digits beyond f32's precision."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {entry.name: _as_json(getattr(value, entry.name)) for entry in dataclasses.fields(value)}
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return float(f"{value:.7g}")
    if isinstance(value, (tuple, list, frozenset, set, np.ndarray)):
        return [_as_json(each) for each in value]
    if isinstance(value, Mapping):
        return {str(key): _as_json(each) for key, each in value.items()}
    return value if value is None or isinstance(value, (bool, int)) else str(value)


def _facts(model: LanguageModel) -> dict[str, Any]:
    """Lists a model's config, except for unused fields, and its tokenizer."""
    settings = _settings(model)
    facts = {name.replace("_", " "): _brief(value) for name, value in settings.items() if value or value is False}
    tokenizer = model.tokenizer
    facts["tokens"] = (
        f"{tokenizer.vocabulary}, EOS {sorted(tokenizer.eos)}, {f'BOS {tokenizer.bos}' if tokenizer.add_bos else 'no BOS'}"
    )
    facts["chat template"] = "none" if model.chat_template is None else f"{len(model.chat_template)} characters"
    return facts


def _brief(value: Any) -> Any:
    """Formats a setting: long ones truncated, numbers without digits beyond f32's precision."""
    if isinstance(value, float):
        return float(f"{value:.7g}")
    text = str(value)
    return value if isinstance(value, int) else text if len(text) <= 120 else text[:117] + "…"


def _tensors(model: LanguageModel) -> list[dict[str, Any]]:
    rows: dict[str, dict[str, Any]] = {}
    for tensor in model.source.tensors.values():
        kind = str(tensor.scheme) if tensor.scheme is not None else tensor.dtype.name
        row = rows.setdefault(kind, {"type": kind, "tensors": 0, "weights": 0, "bytes": 0})
        row["tensors"] += 1
        row["weights"] += int(np.prod(tensor.dims, dtype=np.int64))
        row["bytes"] += tensor.nbytes
    return sorted(rows.values(), key=lambda row: -int(row["bytes"]))


def estimate_memory(model: LanguageModel, context: int) -> dict[str, int]:
    """Estimates the bytes of a model's weights as stored, of the caches, and of working memory during prefill."""
    return memory_plan(model, context)(context)


def memory_plan(model: LanguageModel, longest: int) -> Callable[[int], dict[str, int]]:
    """Returns `estimate_memory` as a function of the context, up to `longest`; the graph is lowered once."""
    chunk = min(_CHUNK, longest)
    if model.family.embeds:
        shapes = Shapes(batch=1, seq=Dim("seq", max=longest))
    else:
        shapes = Shapes(seq=Dim("seq", max=chunk), capacity=Dim("capacity", max=1 << 20))
    lir = lower(model.graph(shapes), **model.options).lir

    def estimate(context: int) -> dict[str, int]:
        sizes = {"batch": 1, "seq": min(chunk, context), "capacity": context}
        states = sum(evaluate(node.shape.size_bytes, sizes) for node in lir.graph.states.values())
        return {"weights": model.source.nbytes, "caches and states": states, "working memory": evaluate(lir.arena, sizes)}

    return estimate


# -- bench ---------------------------------------------------------------------------------------------------------
def bench_model(console: Console, name: str, settings: CommandSettings, *, repeats: int, as_data: bool) -> None:
    """Measures tokens per second for prefill of 128 and 512 tokens and for decoding, and the share of the memory bandwidth."""
    with Bars() as bars:
        model = open_model(name, settings, bars)
        runner = Runner(model, capacity=settings.context)
        runner.prepare()
    vocabulary = model.config.vocab_size
    ids = np.random.default_rng(0).integers(0, vocabulary, min(512, runner.capacity - 1)).tolist()
    sizes = [count for count in (128, 512) if count <= len(ids)] or [len(ids)]
    decode_at = min(128, runner.capacity // 2)
    times: dict[str, list[float]] = {}
    measured: list[Limits] = []
    for _ in range(repeats):  # interleaved, so that all see the same machine load
        for count in sizes:
            times.setdefault(f"prompt of {count}", []).append(_prefill(runner, ids[:count]) / count)
        times.setdefault(f"single tokens after {decode_at}", []).append(_decode(runner, ids, decode_at))
        measured.append(_limits())
    limits = max(measured, key=lambda each: each.gigabytes)
    limit, weights = limits.gigabytes, model.source.nbytes
    rows: list[dict[str, Any]] = []
    for what, seconds in times.items():
        best = min(seconds)
        row: dict[str, Any] = {"what": what, "tokens_per_second": 1 / best, "median": 1 / statistics.median(seconds)}
        if what.startswith("single"):
            row |= {"gigabytes_per_second": weights / best * 1e-9, "share_of_read_loop": weights / best * 1e-9 / limit}
        rows.append(row)
    if as_data:
        spread = {"read_loop_gigabytes": limit, "read_loop_spread": limits.gigabytes_spread}
        print(json.dumps({"rows": rows, **spread, "weight_bytes": weights}))
        return
    _show_bench(console, rows, limits, settings)


def _show_bench(console: Console, rows: list[dict[str, Any]], limits: Limits, settings: CommandSettings) -> None:
    mode = "exact" if settings.exact else "fast (activations rounded to integers)"
    console.print(f"Tokens per second, {mode} mode; limits measured here: {limits}")
    if limits.warning is not None:
        console.print(f"Warning: {limits.warning}.", highlight=False)
    table = Table()
    for heading in ("what", "best", "median", "share of bandwidth"):
        table.add_column(heading, justify="left" if heading == "what" else "right")
    for row in rows:
        share = f"{row['share_of_read_loop']:.0%}" if "share_of_read_loop" in row else ""
        table.add_row(row["what"], f"{row['tokens_per_second']:.1f}", f"{row['median']:.1f}", share)
    console.print(table)


def _seconds(work: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def _prefill(runner: Runner, ids: list[int]) -> float:
    runner.truncate(0, 0)
    return _seconds(lambda: runner.prefill([ids]))


def _decode(runner: Runner, ids: list[int], start: int, steps: int = 16) -> float:
    """Measures seconds per decoded token: the best of several."""
    runner.truncate(0, 0)
    runner.prefill([ids[:start]])
    return min(_seconds(partial(runner.decode, [token])) for token in ids[start : start + steps])


def _limits() -> Limits:
    """Measures the machine's limits in a short run."""
    limits = find_backend("cpu").limits(0.3)
    assert limits is not None
    return limits


# -- rlx passes, rlx ops, rlx inspect: the compiler's passes and ops, and the contents of a file ---------------------


def list_passes(console: Console, device: str | None = None) -> None:
    """Prints a device's passes with the first line of each one's docstring, and what the device adds and leaves out."""
    from rlx.passes.entry import Options, Pass
    from rlx.passes.pipeline import PIPELINE, passes_of

    title = "The pipeline, in order" if device is None else f"The pipeline of {device!r}, in order"
    table = Table(title=title, title_justify="left")
    table.add_column("", justify="right")
    for heading in ("pass", "needed"):
        table.add_column(heading, no_wrap=True)
    table.add_column("what it does")
    chosen = PIPELINE if device is None else passes_of(find_backend(device), Options())
    rows: list[Pass] = []
    rest = list(PIPELINE)
    for one in chosen:
        if one in rest:
            index = rest.index(one)
            rows, rest = [*rows, *rest[:index]], rest[index + 1 :]
        rows.append(one)
    for number, one in enumerate([*rows, *rest], 1):
        how = "left out" if one not in chosen else "added" if one not in PIPELINE else one.needed
        table.add_row(str(number), one.name, how, escape(one.docs))
    console.print(table)


def list_ops(console: Console, name: str = "") -> None:
    """Prints all ops, those whose name contains `name`, or one in detail."""
    records = [record for record in OPS if name in record.name]
    exact = next((record for record in records if record.name == name), None)
    if exact is not None:
        _show_op(console, exact)
        return
    if not records:
        OPS[name]  # raises, with similar names
    table = Table(title=f"{count_of(len(records), 'op')}" + (f" with {name!r} in the name" if name else ""), title_justify="left")
    for heading in ("op", "operands", "kind", "what it computes"):
        table.add_column(heading, no_wrap=heading == "op")
    for record in records:
        table.add_row(record.name, escape(_operands(record)), str(record.kind), escape(" ".join(record.doc.split())))
    console.print(table)


def _operands(record: OpDef) -> str:
    return ", ".join(o.name + ("?" if o.optional else "*" if o.variadic else "") for o in record.operands)


def _show_op(console: Console, record: OpDef) -> None:
    table = Table(title=f"{record.name}({escape(_operands(record))})", title_justify="left", show_header=False)
    table.add_row("computes", escape(" ".join(record.doc.split())))
    table.add_row("level, kind", f"{record.level}, {record.kind}" + (f", family {record.family}" if record.family else ""))
    table.add_row("results", ", ".join(record.results))
    for name, attr in record.attrs.items():
        default = "required" if attr.default is REQUIRED else f"default {attr.default}"
        table.add_row(f"{name}=", escape(f"{attr.kind}, {default}" + (f": {attr.help}" if attr.help else "")))
    table.add_row("cpu", _on_cpu(record))
    table.add_row("reference", "yes" if record.reference is not None else "lowered first")
    for facet in ("vjp", "jvp", "batch"):
        value = getattr(record, facet)
        table.add_row(facet, "yes" if callable(value) else escape(str(value)))
    console.print(table)


def _on_cpu(record: OpDef) -> str:
    if record.level == "hir":
        return "lowered to MIR"
    return "a leaf" if record.leaf else find_backend("cpu").support(record)


def inspect_file(console: Console, name: str, context: int | None = None, *, as_data: bool = False) -> None:
    """Prints a model; a saved module as in `module.inspect()`; a saved executable's interface, code and memory."""
    path = find_model(name)
    if is_model(path):
        inspect_model(console, str(path), context, as_data=as_data)
        return
    header, _ = read_file(path)
    if header.get("kind") == "executable":
        _show_executable(console, path)
    else:
        console.print(str(load(path).inspect()), markup=False, highlight=False, soft_wrap=True)


def _show_executable(console: Console, path: Path) -> None:
    from rlx.runtime.save import read_executable

    saved = read_executable(path)
    graph, artifact = saved.graph, saved.artifact
    table = Table(title=f"Executable {escape(graph.name)}", title_justify="left", show_header=False)
    table.add_row("file", f"{escape(os.fspath(path))}, {path.stat().st_size / 1e6:.2f} MB")
    table.add_row("device", saved.device)
    table.add_row("made for", artifact.made_for)
    table.add_row("inputs", escape(", ".join(f"{name}: {node.shape}" for name, node in graph.inputs.items()) or "none"))
    table.add_row("outputs", escape(", ".join(f"{name}: {graph.shape(ref)}" for name, ref in graph.output_refs.items()) or "none"))
    for kind, nodes in (("params", graph.params), ("states", graph.states)):
        held = sum(name.startswith(f"{kind[:-1]}.") for name in saved.values)
        table.add_row(kind, f"{len(nodes)}, {held} of them in the file")
    table.add_row("options", escape(", ".join(f"{name}={value}" for name, value in artifact.options.plain().items())))
    for name, words in artifact.summary().items():
        table.add_row(name, words)
    for name, size in artifact.memory.items():
        table.add_row(f"{name} bytes", escape(str(size)))
    console.print(table)
