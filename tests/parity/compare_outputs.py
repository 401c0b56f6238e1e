"""Compares what a cell gave in JAX with what it gave here, by rules that are listed and counted."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np

RELATIVE = 1e-4
RULES = {
    "random": "depends on random numbers (JAX's own output changes with another seed): shapes and dtypes are compared",
    "64 bits": "64-bit data stays 64-bit here, where JAX without x64 makes it 32-bit: values are compared",
    "weak": "`weak_type=True` in a printed array is left out",
    "object": "functions, classes, jaxprs, compiled programs, plots, devices: only that both have one",
    "traced": "what a traced value prints: only that both print something",
    "jaxpr": "printed jaxprs, compiler text, lists of residuals: only that both print something",
    "message": "the text of a caught exception: only that both print something",
    "clock": "printed times and addresses in memory",
    "order": "lines of unordered debug prints: as a set",
}
Used = Counter[str]


def differences(theirs: dict[str, Any], other: dict[str, Any], ours: dict[str, Any], used: Used) -> list[str]:
    """How a cell's outputs differ from JAX's; `other` is the cell in JAX with other seeds."""
    found: list[str] = []
    for name, value in theirs["values"].items():
        if name not in ours["values"]:
            found.append(f"{name} is missing")
            continue
        found += [f"{name}{text}" for text in _compare(value, other["values"].get(name), ours["values"][name], used)]
    if theirs["last"] is not None:
        found += [f"result{text}" for text in _compare(theirs["last"], other["last"], ours["last"], used)]
    return found + _printed(theirs, other, ours, used)


def _compare(theirs: Any, other: Any, ours: Any, used: Used) -> list[str]:
    random = other is not None and not _same(theirs, other)
    return list(_walk(theirs, ours, random, used))


def _same(one: Any, another: Any) -> bool:
    if isinstance(one, np.ndarray) and isinstance(another, np.ndarray):
        return one.shape == another.shape and one.dtype == another.dtype and one.tobytes() == another.tobytes()
    if isinstance(one, (list, tuple)) and isinstance(another, (list, tuple)):
        return len(one) == len(another) and all(_same(a, b) for a, b in zip(one, another, strict=True))
    if isinstance(one, np.ndarray) or isinstance(another, np.ndarray):
        return False
    return bool(one == another) or (one != one and another != another)


def _walk(theirs: Any, ours: Any, random: bool, used: Used) -> Any:
    if ours is None:
        yield ": nothing here"
        return
    kind, mine = theirs[0], ours[0]
    if kind in ("callable", "other") and mine in ("callable", "other", "object", "dict", "items", "array", "python"):
        if theirs[1:] in (("traced",),) and mine == "array":
            pass
        used["object"] += 1
        return
    if kind != mine:
        if {kind, mine} <= {"array", "python"} and random:
            used["random"] += 1
            return
        yield f": {_short(theirs)} in JAX, {_short(ours)} here"
    elif kind == "array":
        yield from _arrays(theirs, ours, random, used)
    elif kind == "python":
        if random:
            used["random"] += 1
            if type(theirs[1]) is not type(ours[1]):
                yield f": {type(theirs[1]).__name__} in JAX, {type(ours[1]).__name__} here"
        elif not _same_python(theirs[1], ours[1], used):
            yield f": {theirs[1]!r:.80} in JAX, {ours[1]!r:.80} here"
    elif kind == "items":
        if theirs[1] != ours[1] or len(theirs[2]) != len(ours[2]):
            yield f": {theirs[1]} of {len(theirs[2])} in JAX, {ours[1]} of {len(ours[2])} here"
        else:
            for index, (one, another) in enumerate(zip(theirs[2], ours[2], strict=True)):
                for text in _walk(one, another, random, used):
                    yield f"[{index}]{text}"
    else:
        mine_by_key = {repr(key): value for key, value in ours[-1]}
        if {repr(key) for key, _ in theirs[-1]} != mine_by_key.keys():
            yield f": keys {[key[-1] for key, _ in theirs[-1]]!r:.60} in JAX, {list(mine_by_key)!r:.60} here"
            return
        for key, value in theirs[-1]:
            for text in _walk(value, mine_by_key[repr(key)], random, used):
                yield f"[{key[-1]!r}]{text}"


def _same_python(theirs: Any, ours: Any, used: Used) -> bool:
    if isinstance(theirs, (float, complex)) and isinstance(ours, (float, complex)):
        return bool(np.isclose(theirs, ours, rtol=RELATIVE, atol=0, equal_nan=True))
    if isinstance(theirs, str) and isinstance(ours, str):
        if (theirs, ours) in WIDER:
            used["64 bits"] += 1
            return True
        return _text(theirs, ours, used)
    return type(theirs) is type(ours) and bool(theirs == ours)


WIDER = {("float32", "float64"), ("int32", "int64"), ("uint32", "uint64"), ("complex64", "complex128")}


def _arrays(theirs: Any, ours: Any, random: bool, used: Used) -> Any:
    _, dtype, shape, values = theirs
    _, my_dtype, my_shape, mine = ours
    if dtype == "key":
        used["random"] += 1
        if my_dtype != "uint32" or my_shape != (*shape, 2):
            yield f": keys of shape {shape} in JAX, {my_dtype}{list(my_shape)} here"
        return
    if shape != my_shape:
        yield f": shape {shape} in JAX, {my_shape} here"
        return
    if dtype != my_dtype:
        if (dtype, my_dtype) not in WIDER:
            yield f": {dtype} in JAX, {my_dtype} here"
            return
        used["64 bits"] += 1
    if random:
        used["random"] += 1
        return
    if not _close(values, mine, dtype):
        with np.errstate(all="ignore"):
            yield f": values differ: {np.ravel(values)[:3]} in JAX, {np.ravel(mine)[:3]} here"


def _close(theirs: Any, ours: Any, dtype: str) -> bool:
    if theirs.dtype.kind in "fc":
        low = {"bfloat16": 1e-2, "float16": 2e-3}.get(dtype, RELATIVE)
        finite = np.abs(theirs[np.isfinite(theirs)])
        floor = low * 0.1 * float(finite.max()) if finite.size else 0.0
        with np.errstate(all="ignore"):
            return bool(np.allclose(ours, theirs, rtol=low, atol=floor, equal_nan=True))
    return bool(np.array_equal(theirs, ours))


NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+|nan|inf)(?![\w])")
JAXPR = re.compile(
    r"\{\s*lambda\b|module @|HloModule|stablehlo|\blet\b.*\bin \(|mir @|lir @|hir @|ENTRY |from the argument|output of \w+ from",
    re.DOTALL,
)
TRACED = re.compile(r"Traced<|Tracer<|JitTracer|Tracer|LinearizeTracer|DynamicJaxprTracer")
CLOCK = re.compile(r"0x[0-9a-f]+|\b\d[\d.]* ?(?:s|ms|µs|us|seconds)\b")
DEVICE = re.compile(r"CpuDevice\(id=\d+\)|TFRT_CPU_\d+|cpu:\d+|SingleDeviceSharding\([^)]*\)")


def _printed(theirs: Any, other: Any, ours: Any, used: Used) -> list[str]:
    a, b = theirs["printed"], ours["printed"]
    if a.strip() == b.strip():
        return []
    for rule, holds in (
        ("jaxpr", JAXPR.search(a)),
        ("traced", TRACED.search(a)),
        ("message", theirs["excepts"]),
        ("random", a != other["printed"]),
    ):
        if holds:
            used[rule] += 1
            return [] if bool(a.strip()) == bool(b.strip()) else [f"printed {a!r:.80} in JAX, {b!r:.80} here"]
    if theirs.get("debug_prints") and _text(_sorted(a), _sorted(b), used):
        used["order"] += 1
        return []
    return [] if _text(a, b, used) else [f"printed {a!r:.200} in JAX, {b!r:.200} here"]


def _sorted(text: str) -> str:
    return "\n".join(sorted(text.splitlines()))


def _text(theirs: str, ours: str, used: Used) -> bool:
    """Whether two texts are equal but for white space, the library's name, and numbers within the tolerance."""
    a, b = _plain(theirs), _plain(ours)
    if "weak_type" in theirs:
        used["weak"] += 1
    if a == b:
        return True
    if CLOCK.sub("", a) == CLOCK.sub("", b):
        used["clock"] += 1
        return True
    numbers, mine = NUMBER.findall(a), NUMBER.findall(b)
    if NUMBER.sub("#", a) != NUMBER.sub("#", b) or len(numbers) != len(mine):
        return False
    x, y = np.array([float(n) for n in numbers]), np.array([float(n) for n in mine])
    return _close(x, y, "float32")


def _plain(text: str) -> str:
    text = re.sub(r",? ?weak_type=True", "", text)
    text = re.sub(r"<class '[\w.]*Array\w*'>", "<class Array>", text)
    text = re.sub(r"0x[0-9a-f]+", "0x", text)
    text = DEVICE.sub("device", text)
    return re.sub(r"\s+", " ", re.sub(r"\s*([\[\](),])\s*", r"\1", text)).strip()


def _short(description: Any) -> str:
    if description[0] == "array":
        return f"array {description[1]}{list(description[2])}"
    return f"{description[0]} {description[1]!r:.60}" if len(description) > 1 else str(description[0])
