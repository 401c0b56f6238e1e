"""Artifacts of `xla` as bytes: the graph after the passes, and `jax.export` of each program that it was compiled to.

A program that was exported is not traced again; for other sizes the graph is there. XLA compiles both where they are loaded.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import jax

from rlx.backends.base import Parts
from rlx.backends.plain import OneCommandEach
from rlx.core.errors import Location, RlxError
from rlx.core.report import Decision, Report
from rlx.ir.parse import parse_graph
from rlx.ir.text import constants_of, pack_file, render, unpack_file
from rlx.passes.entry import Options
from rlx.plan.schedule import plan

if TYPE_CHECKING:
    from rlx.backends.xla.program import Arrays, XlaArtifact
    from rlx.backends.xla.site import Check

_FORMAT = 1


def pack_artifact(artifact: XlaArtifact) -> Parts:
    """A manifest, the graph, and the programs of an artifact that calls no Python."""
    graphs = {"graph": artifact.graph}
    if artifact.lir.prepare is not None:
        graphs["prepare"] = artifact.lir.prepare.graph
    constants = {digest: value for graph in graphs.values() for digest, value in graph.constants().items()}
    arrays = {f"constant.{digest}": value.array for digest, value in constants.items()}
    programs, blobs = [], []
    for sizes, shapes in artifact.known_sizes():
        exported, checks = artifact.exported(sizes, shapes)
        programs.append({"sizes": dict(sizes), "checks": [_plain(check) for check in checks]})
        blobs.append(bytes(exported.serialize()))
    manifest = {
        "format": _FORMAT,
        "platform": jax.default_backend(),
        "jax": jax.__version__,
        "options": artifact.options.plain(),
        "decisions": [asdict(decision) for decision in artifact.decisions],
        "programs": programs,
    }
    return (json.dumps(manifest).encode(), pack_file({name: render(graph) for name, graph in graphs.items()}, arrays), *blobs)


def unpack_artifact(parts: Parts) -> XlaArtifact:
    """The inverse."""
    from rlx.backends.xla.program import XlaArtifact

    manifest = json.loads(parts[0])
    if manifest.get("format") != _FORMAT:
        fix = "compile it again with this one"
        raise RlxError("RLX303", "the program was compiled by another version of RLX", fix=fix, at=None)
    header, arrays = unpack_file(parts[1], "the program")
    plans = {
        name: plan(parse_graph(text, constants_of(arrays)).freeze(), OneCommandEach("xla"), Report())
        for name, text in header.items()
    }
    lir = replace(plans["graph"], prepare=plans.get("prepare"))
    decisions = tuple(Decision(**decision) for decision in manifest["decisions"])
    stored = {
        tuple(sorted(entry["sizes"].items())): (blob, tuple(map(_check, entry["checks"])))
        for entry, blob in zip(manifest["programs"], parts[2:], strict=True)
    }
    return XlaArtifact(lir, Options(**manifest["options"]), decisions, stored=stored, platform=manifest["platform"])


def _plain(check: Check) -> list[Any]:
    at = check.location
    return [check.code, check.message, check.fix, None if at is None else asdict(at)]


def _check(plain: list[Any]) -> Check:
    from rlx.backends.xla.site import Check

    code, message, fix, at = plain
    return Check(code, message, fix, None if at is None else Location(**at))


def exported_call(blob: bytes, arguments: tuple[Arrays, Arrays, list[Any]]) -> Any:
    """The function of an exported program, if it takes arrays of these kinds; else None."""
    exported = jax.export.deserialize(bytearray(blob))
    given: Mapping[Any, Any] = jax.tree.leaves(arguments)
    shapes = [(tuple(array.shape), array.dtype) for array in given]
    return exported.call if [(aval.shape, aval.dtype) for aval in exported.in_avals] == shapes else None
