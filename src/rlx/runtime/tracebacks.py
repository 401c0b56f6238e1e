"""Tracebacks that end at the user's line: frames of this package are taken out where its functions are left.

An exception that the package did not mean to raise (its own innermost frame, and no RlxError) keeps all of them, as everything
does under RLX_TRACEBACK=full.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FrameType, TracebackType
from typing import ParamSpec, TypeVar

import numpy as np

from rlx.backends.base import Array, Backend
from rlx.core import config
from rlx.core.dim import LARGEST_SIZE, Size, evaluate
from rlx.core.dtype import DType
from rlx.core.errors import PACKAGE_FOLDER, Location, RlxError
from rlx.core.report import Report
from rlx.ir.graph import Graph

P = ParamSpec("P")
R = TypeVar("R")


_FOREIGN = ("is not a valid JAX type", "must be Tensor, not", "ArrayImpl")
"""Texts in the errors that functions of JAX and torch raise for a Value."""
_INSTEAD = {
    "optax": "use an optimizer of rlx.train, such as rlx.train.Adam, and the losses of rlx.nn; optax computes with JAX's functions",
    "equinox": "use the modules of rlx.nn, such as rlx.nn.Linear; equinox computes with JAX's functions",
    "flax": "use the modules of rlx.nn, such as rlx.nn.Linear; flax computes with JAX's functions",
}
"""Libraries on top of JAX, and the RLX equivalents."""


def _name_our_functions(error: BaseException) -> None:
    """Adds to the error of another library's function on a traced value which functions accept one."""
    traced = isinstance(error, RlxError) and error.code == "RLX108"
    if not traced and not (isinstance(error, TypeError) and any(text in str(error) for text in _FOREIGN)):
        return
    modules = [str(entry.tb_frame.f_globals.get("__name__", "")) for entry in _entries(error.__traceback__)]
    library = next((name.split(".")[0] for name in modules if name.split(".")[0] in _INSTEAD), None)
    fix = _INSTEAD[library] if library else "call rlx.numpy, rlx.nn and rlx.lax on traced values; the names are those of jax"
    if isinstance(error, RlxError):
        error.fix = fix if library else error.fix
    elif f"fix: {fix}" not in getattr(error, "__notes__", ()):
        error.add_note(f"fix: {fix}")


def hide_own_frames(error: BaseException) -> None:
    """Take this package's frames out of an error's traceback. A bare `raise` after it does not add the frame it stands in.

    >>> try:
    ...     RlxError("no such code", "")
    ... except KeyError as error:
    ...     hide_own_frames(error)  # the innermost frame is ours
    ...     print(error.__traceback__.tb_next is not None)
    True
    """
    _name_our_functions(error)
    entries = _entries(error.__traceback__)
    if not entries or config.TRACEBACK.read() == "full":
        return
    if _is_own(entries[-1].tb_frame) and not isinstance(error, RlxError):
        return
    left: TracebackType | None = None
    for entry in reversed(entries):
        if not _is_own(entry.tb_frame):
            left = TracebackType(left, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    error.__traceback__ = left


def hiding_own_frames(function: Callable[P, R]) -> Callable[P, R]:
    """Decorates a function of the package so that its errors do not show the package's frames."""

    @functools.wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            hide_own_frames(error)
            raise

    return called


def _entries(traceback: TracebackType | None) -> list[TracebackType]:
    entries = []
    while traceback is not None:
        entries.append(traceback)
        traceback = traceback.tb_next
    return entries


def _is_own(frame: FrameType) -> bool:
    """Whether a frame belongs to this package, or to code generated for it."""
    file = frame.f_code.co_filename
    if file == "<string>":
        return str(frame.f_globals.get("__name__", "")).startswith("rlx.")
    return file.startswith(PACKAGE_FOLDER)


# -- details of a failed run beyond the kernel's error code: the user's line, and which inputs were already bad ------


def explain(error: RlxError, graph: Graph, leaves: Callable[[], Mapping[str, Array]]) -> None:
    """Completes an error that native code reported with the user's source lines."""
    if error.location is None:
        locations = _locations(graph)
        words = error.message.replace("(", " ").replace(")", " ").split()
        error.location = next((locations[word] for word in words if word in locations), None)
    if error.code == "RLX510":
        bad = [name for name, array in leaves().items() if not _finite(array)]
        before = f"{', '.join(bad)} had NaN or infinity before the run"
        error.fix = before if bad else "check the operands of this op: all inputs are finite"


def too_large(graph: Graph, memory: Mapping[str, Size], sizes: Mapping[str, int]) -> RlxError:
    """The error for sizes that overflow: names the first value, or else the part of memory, that exceeds 2**63."""
    sizes_text = ", ".join(f"{name} = {value}" for name, value in sizes.items())
    for node in graph.nodes:
        for shape in node.results:
            count = evaluate(shape.size_bytes, sizes)
            if count > LARGEST_SIZE:
                bound = shape.bind(sizes)
                message = f"with {sizes_text}, {node.op.name} {shape} is {bound}: {bound.num_elements} elements, {count} bytes"
                return RlxError("RLX208", message, at=node.origin.location)
    for part, size in memory.items():
        count = evaluate(size, sizes)
        if count > LARGEST_SIZE:
            return RlxError("RLX208", f"with {sizes_text}, {part} memory takes {size} = {count} bytes")
    return RlxError("RLX208", f"with {sizes_text}, a computed size exceeds 2**63")


def _locations(graph: Graph) -> dict[str, Location]:
    """The user's source lines by the text that kernels report, bodies included."""
    locations: dict[str, Location] = {}
    for node in graph.nodes:
        for _, body in node.op.graphs():
            locations |= _locations(body)
        if node.origin.location is not None:
            locations[str(node.origin.location)] = node.origin.location
    return locations


def _finite(array: Array) -> bool:
    dtype = DType.of(array.dtype)
    if dtype.is_complex:
        return bool(np.isfinite(array).all())
    return not dtype.is_float or bool(np.isfinite(array.astype(np.float64)).all())


# -- RLX_DUMP: every stage of each compilation as a file, numbered in order ------------------------------------------
#
# $RLX_DUMP/llama-3f9a2c41/
# 00-built.rlx  01-assumptions.rlx … 21-split_prepare.rlx    the graph after each pass
# 22-prepare.rlx                                             what split_prepare cut off
# 23-plan.rlx                                                the LIR: graph, memory, commands
# 24-main.ll  24-main.optimized.ll  24-main.s                LLVM IR as emitted, after LLVM's passes, and assembly
# report.txt                                                 every decision and the time of each phase


class Dump:
    """Writes each stage of a compilation that its report sees to a folder per compiled graph (RLX_DUMP)."""

    def __init__(self, folder: Path, graph: Graph, backend: Backend) -> None:
        self.folder = folder / f"{_file_name(graph.name)}-{graph.fingerprint()[:8]}"
        self.folder.mkdir(parents=True, exist_ok=True)
        for old in self.folder.iterdir():
            if old.suffix in (".rlx", ".ll", ".s", ".txt"):
                old.unlink()
        self.backend = backend
        self.count = 0

    @staticmethod
    def wanted(graph: Graph, backend: Backend, report: Report) -> Dump | None:
        """Attaches a dump to the report, if RLX_DUMP names a folder."""
        folder = config.DUMP.folder()
        if folder is None:
            return None
        dump = Dump(folder, graph, backend)
        report.watch = dump.write
        return dump

    def write(self, stage: str, thing: object) -> None:
        """Writes one stage: a graph, a LIR, or under "llvm <name>" the texts of its kernels."""
        number, self.count = f"{self.count:02}", self.count + 1
        kind, _, name = stage.partition(" ")
        if kind != "llvm":
            (self.folder / f"{number}-{_file_name(stage)}.rlx").write_text(f"{thing}\n")
            return
        base = f"{number}-{'prepare' if name.endswith('.prepare') else 'main'}"
        for ending, text in self.backend.listings(stage, thing).items():
            (self.folder / f"{base}{ending}").write_text(text)

    def finish(self, report: Report) -> None:
        """Writes the compile report at the end."""
        report.watch = None
        report.add("compile", "dump", f"every stage is in {self.folder}")
        (self.folder / "report.txt").write_text(f"{report}\n")


def _file_name(text: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "._" else "_" for letter in text)
