"""Saved executables: one file with native code and everything else a run needs. No compiler pass runs when it is loaded.

**A saved executable is native code**: loading one runs what its author put there, as importing a shared library does. Load files only from
people you would take a program from.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rlx.backends.cpu.program import pack_program, unpack_program
from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.core.files import naming
from rlx.core.packed import part_name
from rlx.core.report import Report
from rlx.core.shape import Shape
from rlx.ir.graph import Graph
from rlx.ir.parse import parse_graph
from rlx.ir.serialize import constants_of, read_file, write_file
from rlx.ir.text import render
from rlx.runtime.aligned import aligned_copy
from rlx.runtime.executable import Executable
from rlx.runtime.interface import Interface
from rlx.runtime.native import NativeCode, check_runs_here
from rlx.runtime.session import Session

if TYPE_CHECKING:
    from rlx.ir.lir import Lir

__all__ = ["load_executable", "read_executable", "save_executable"]

Array = npt.NDArray[Any]


def save_executable(exe: Executable, path: str | os.PathLike[str], *, params: bool = False, states: bool = False) -> None:
    """Write an executable; see `Executable.save`."""
    from llvmlite import binding

    code = exe.code
    if code is None:
        device = exe.session.device
        raise RlxError("RLX403", f"an executable for {device!r} has no native code to save", fix="compile it for 'cpu'")
    if code.host_calls:
        names = ", ".join(code.host_calls)
        raise RlxError(
            "RLX403", f"{exe.graph.name!r} calls Python ({names}); a saved executable holds native code only", fix="give these ops a kernel"
        )
    arrays: dict[str, Array] = {}
    for number, program in enumerate(code.programs):
        arrays[f"program.{number}"] = np.frombuffer(pack_program(program), np.uint8)
    arrays |= {f"constant.{digest}": value.array for digest, value in exe.graph.constants().items()}
    wanted = [(name, entry) for name, entry in exe.session.entries.items() if (params if entry.kind == "param" else states)]
    with exe.session.lock:
        for name, entry in wanted:
            if name not in exe.graph.params and name not in exe.graph.states:
                continue
            if entry.is_set:
                arrays |= {f"{entry.kind}.{leaf}": array for leaf, array in entry.given(name).items()}
            elif entry.kind == "param":
                raise RlxError("RLX505", f"param {name!r} ({entry.shape}) is not set", fix="set it first, or save with params=False")
        header = {
            "kind": "executable",
            "device": exe.session.device,
            "graph": render(exe.graph),
            "manifest": json.loads(json.dumps(code.manifest())),
            "llvm": list(binding.llvm_version_info),
        }
        write_file(path, header, arrays)


def read_executable(path: str | os.PathLike[str]) -> tuple[Graph, NativeCode, dict[str, Any], dict[str, Array]]:
    """What a file of `exe.save` holds: interface, code, header, arrays of params and states. Nothing of it is run."""
    header, arrays = read_file(path)
    if header.get("kind") != "executable":
        raise RlxError("RLX303", f"{path} holds a {header.get('kind')}, not an executable", fix="rlx.load reads modules")
    with naming(path, "RLX303"):
        return _content(header, arrays)


def _content(header: dict[str, Any], arrays: dict[str, Array]) -> tuple[Graph, NativeCode, dict[str, Any], dict[str, Array]]:
    constants = constants_of({name: array for name, array in arrays.items() if name.startswith("constant.")})
    graph = parse_graph(header["graph"], constants)
    programs = sorted((name for name in arrays if name.startswith("program.")), key=lambda name: int(name.partition(".")[2]))
    code = NativeCode.read(header["manifest"], tuple(unpack_program(arrays[name].tobytes()) for name in programs), graph.symbols)
    values = {name: array for name, array in arrays.items() if name.startswith(("param.", "state."))}
    return graph, code, header, values


def load_executable(path: str | os.PathLike[str], session: Session | None = None) -> Executable:
    """The executable that `exe.save(path)` wrote, ready to run; refused on a CPU that lacks a feature the code uses.

    **This loads native code**: load only what you would also run as a program. Params and states that were saved along are set in the
    session (a new one unless given); the others are set as always. Results have the same bits as before saving.

    >>> import numpy as np, os, tempfile; from rlx import Graph, compile
    >>> g = Graph("double"); x = g.input("x", (2,), "f32"); g.set_outputs({"y": x + x})
    >>> place = os.path.join(tempfile.mkdtemp(), "double.rlxe")
    >>> compile(g).save(place)
    >>> load_executable(place)(x=np.ones(2, np.float32))
    array([2., 2.], dtype=float32)
    """
    graph, code, header, values = read_executable(path)
    with naming(path, "RLX303"):
        return _loaded(os.fspath(path), graph, code, str(header["device"]), values, session)


def _loaded(path: str, graph: Graph, code: NativeCode, device: str, values: dict[str, Array], session: Session | None) -> Executable:
    check_runs_here(code.target, path)
    if session is None:
        session = Session(device)
    elif session.device != device:
        raise RlxError("RLX406", f"{path} is for {device!r}, the session is one of {session.device!r}", fix="use another session")
    interface = Interface.of(graph)
    session.declare_all(interface.entries())
    for name in (*interface.params, *interface.states):
        _restore(session, name, values)
    report = Report()
    code.describe(report, anew=False)
    report.add("load", "loaded", f"native code for {code.target.cpu} from {path}")
    return Executable.of_code(interface, lambda: graph, session, report, lambda: _lower(graph, code), code)


def _restore(session: Session, name: str, values: dict[str, Array]) -> None:
    """Give a param or state the value that was saved along, if one was."""
    entry = session.entries[name]
    saved = {part: values.get(f"{entry.kind}.{part_name(name, part)}") for part in entry.storage or ("w",)}
    if saved["w"] is None:
        return
    for part, array in saved.items():
        _check_array(part_name(name, part), entry.storage.get(part, entry.shape), array)
    with session.lock:
        copies = {part: aligned_copy(array) for part, array in saved.items() if array is not None}
        entry.set(copies.pop("w"), copies)


def _check_array(name: str, shape: Shape, array: Array | None) -> None:
    """What is restored has the declared shape: native code trusts it."""
    given = "missing" if array is None else f"{DType.of(array.dtype)}{list(array.shape)}"
    fits = array is not None and DType.of(array.dtype) is shape.dtype and array.ndim == shape.rank
    if array is None or not fits or any(isinstance(size, int) and size != got for size, got in zip(shape.dims, array.shape, strict=True)):
        raise RlxError("RLX303", f"{name!r} is {shape}, the saved array is {given}", fix="save the executable again", at=None)


def _lower(graph: Graph, code: NativeCode) -> Lir:
    """The plan of a loaded executable, for those who look at it: lowered again, for the machine it was made for."""
    from rlx.backends.cpu.backend import CpuBackend

    return CpuBackend(code.target).lower(graph, code.options, Report())
