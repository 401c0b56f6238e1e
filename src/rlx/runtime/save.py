"""Saved executables: one file with native code and everything else a run needs. No compiler pass runs when it is loaded.

***A saved executable is native code**: loading one runs what its author put there, like importing a shared library. Load files only from
people whose programs you would run.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rlx.backends.base import Artifact
from rlx.backends.registry import find_backend
from rlx.core.aligned import Array
from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.core.files import naming
from rlx.core.quant_scheme import part_name
from rlx.core.report import Report
from rlx.core.shape import Shape
from rlx.ir.graph import Graph
from rlx.ir.parse import parse_graph
from rlx.ir.text import constants_of, read_file, render, write_file
from rlx.runtime.compile import describe
from rlx.runtime.executable import Executable
from rlx.runtime.interface import Interface
from rlx.runtime.session import Session

if TYPE_CHECKING:
    from rlx.ir.parse_lir import Lir


def save_executable(exe: Executable, path: str | os.PathLike[str], *, params: bool = False, states: bool = False) -> None:
    """Writes an executable to a file; see `Executable.save`."""
    artifact = exe.code
    parts = artifact.pack()
    if parts is None:
        names = ", ".join(artifact.host_calls)
        why = f"calls Python ({names})" if names else "has no code"
        message = f"{exe.graph.name!r} on {exe.session.device!r} {why}; only compiled code can be saved"
        raise RlxError("RLX403", message, fix="compile it for 'cpu', with a kernel for each of its ops")
    arrays: dict[str, Array] = {f"program.{number}": np.frombuffer(part, np.uint8) for number, part in enumerate(parts[1:])}
    arrays |= {f"constant.{digest}": value.array for digest, value in exe.graph.constants().items()}
    entries = [(name, entry) for name, entry in exe.session.entries.items() if (params if entry.kind == "param" else states)]
    with exe.session.lock:
        for name, entry in entries:
            if name not in exe.graph.params and name not in exe.graph.states:
                continue
            if entry.is_set:
                arrays |= {f"{entry.kind}.{leaf}": array for leaf, array in entry.values_as_set(name).items()}
            elif entry.kind == "param":
                raise RlxError(
                    "RLX505", f"param {name!r} ({entry.shape}) is not set", fix="set it first, or save with params=False"
                )
        header = {"kind": "executable", "device": exe.session.device, "graph": render(exe.graph), "manifest": json.loads(parts[0])}
        write_file(path, header, arrays)
        for _, entry in entries:
            entry.take_back()


class Saved(NamedTuple):
    """The contents of a file that `exe.save` wrote."""

    graph: Graph
    artifact: Artifact
    device: str
    values: dict[str, Array]
    """The saved params and states by name."""


def read_executable(path: str | os.PathLike[str]) -> Saved:
    """Reads a file that `exe.save` wrote, without running its code."""
    header, arrays = read_file(path)
    if header.get("kind") != "executable":
        raise RlxError("RLX303", f"{path} holds a {header.get('kind')}, not an executable", fix="rlx.load reads modules")
    with naming(path, "RLX303"):
        return _content(header, arrays)


def _content(header: dict[str, Any], arrays: dict[str, Array]) -> Saved:
    constants = constants_of({name: array for name, array in arrays.items() if name.startswith("constant.")})
    graph = parse_graph(header["graph"], constants)
    programs = sorted((name for name in arrays if name.startswith("program.")), key=lambda name: int(name.partition(".")[2]))
    parts = (json.dumps(header["manifest"]).encode(), *(arrays[name].tobytes() for name in programs))
    device = str(header["device"])
    values = {name: array for name, array in arrays.items() if name.startswith(("param.", "state."))}
    return Saved(graph, find_backend(device).unpack(parts, graph.symbols), device, values)


def load_executable(path: str | os.PathLike[str], session: Session | None = None) -> Executable:
    """The executable that `exe.save(path)` wrote, ready to run; an error on a CPU that lacks a feature the code uses.

    **This loads native code**: load only what you would also run as a program. Params and states saved with it are set in the
    session (a new one by default); set the others as usual. Results have the same bits as before saving.

    >>> import numpy as np, os, tempfile; from rlx import Graph, compile
    >>> g = Graph("double"); x = g.input("x", (2,), "f32"); g.set_outputs({"y": x + x})
    >>> place = os.path.join(tempfile.mkdtemp(), "double.rlxe")
    >>> compile(g).save(place)
    >>> load_executable(place)(x=np.ones(2, np.float32))
    array([2., 2.], dtype=float32)
    """
    saved = read_executable(path)
    with naming(path, "RLX303"):
        return _load(os.fspath(path), saved, session)


def _load(path: str, saved: Saved, session: Session | None) -> Executable:
    backend = find_backend(saved.device).accept(saved.artifact, path)
    if session is None:
        session = Session(saved.device)
    elif session.device != saved.device:
        raise RlxError(
            "RLX406", f"{path} is for {saved.device!r}, the session is for {session.device!r}", fix="use another session"
        )
    interface = Interface.of(saved.graph)
    session.declare_all(interface.entries())
    for name in (*interface.params, *interface.states):
        _restore(session, name, saved.values)
    report = Report()
    describe(saved.artifact, report, compiled_now=False)
    report.add("load", "loaded", f"native code for {saved.artifact.made_for} from {path}")

    def lower() -> Lir:
        """The plan, if someone accesses it: lowered again, for its original machine."""
        return backend.lower(saved.graph, saved.artifact.options, Report())

    return Executable.of_code(interface, lambda: saved.graph, session, report, lower, saved.artifact)


def _restore(session: Session, name: str, values: dict[str, Array]) -> None:
    """Sets a param or state to its saved value, if the file has one."""
    entry = session.entries[name]
    saved = {part: values.get(f"{entry.kind}.{part_name(name, part)}") for part in entry.storage or ("w",)}
    if saved["w"] is None:
        return
    for part, array in saved.items():
        _check_array(part_name(name, part), entry.storage.get(part, entry.shape), array)
    with session.lock:
        copies = {part: session.own(array) for part, array in saved.items() if array is not None}
        entry.set(copies.pop("w"), copies)


def _check_array(name: str, shape: Shape, array: Array | None) -> None:
    """Checks that a saved array has the declared shape, because native code relies on it."""
    actual = "missing" if array is None else f"{DType.of(array.dtype)}{list(array.shape)}"
    fits = array is not None and DType.of(array.dtype) is shape.dtype and array.ndim == shape.rank
    if (
        array is None
        or not fits
        or any(isinstance(size, int) and size != got for size, got in zip(shape.dims, array.shape, strict=True))
    ):
        raise RlxError("RLX303", f"{name!r} is {shape}, the saved array is {actual}", fix="save the executable again", at=None)
