"""From LIRs to programs: the command table, and the kernels compiled in parallel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from rlx.backends.cpu.compile.codegen import compile_object
from rlx.backends.cpu.compile.command_table import TableBuilder
from rlx.backends.cpu.compile.native_code import Compilation
from rlx.backends.cpu.compile.program import DIMS_FUNCTION, Part, Program
from rlx.backends.cpu.emit.builder import Module
from rlx.backends.cpu.run.commands import CommandTable
from rlx.backends.cpu.run.runner import PADDING
from rlx.backends.cpu.target import Target
from rlx.core import cache, config
from rlx.core.report import Report
from rlx.ir.graph import Graph
from rlx.ir.parse_lir import Lir

_RUNS = 16
"""Runs of a thread's share where weights are prepared. Shares are contiguous, as those of the products that stream the weights are: the
system gives a page memory near the thread that first writes to it, and two threads seldom wait for the same page."""


def build_programs(
    lirs: Sequence[Lir], target: Target, report: Report, meanwhile: Callable[[], None] | None = None
) -> tuple[Program, ...]:
    """Builds the programs of some LIRs. Kernels are compiled in parallel, while the next ones are emitted; equal ones once.

    `meanwhile` is called when all are emitted and some are still being compiled.
    """
    with report.phase("compile kernels"), Compilation(lambda text: compile_object(text, target)) as compilation:
        with report.phase("emit kernels"):
            drafts = [_draft(lir, target, compilation, report) for lir in lirs]
        if meanwhile is not None:
            with report.phase("derive prepared values"):
                meanwhile()
        return tuple(replace(program, objects=compilation.objects(texts)) for program, texts in drafts)


def _draft(lir: Lir, target: Target, compilation: Compilation, report: Report) -> tuple[Program, tuple[str, ...]]:
    """A program whose objects are still being compiled, and their texts."""
    texts: dict[str, None] = {}  # in order, each once

    def submit(text: str) -> None:
        texts[text] = None
        compilation.submit(text)

    runs = 0 if lir.graph.inputs else _RUNS
    table = TableBuilder(target, [(buffer.kind, buffer.name) for buffer in lir.buffers], submit, runs=runs)
    table.add(lir)
    sizes, patches = table.sizes, table.patches()
    arena, scratch = sizes.index(lir.arena), sizes.index(lir.scratch)
    ends = zip(lir.offsets(), lir.slots, strict=True) if config.CANARIES.on() else ()
    canaries = tuple(sizes.index(offset + size - PADDING) for offset, size in ends)
    order = {name: index for index, name in enumerate(sorted(lir.graph.symbols))}
    module = Module(target)
    dynamic = sizes.define(module, DIMS_FUNCTION, order)
    if dynamic:
        submit(module.text())
    report.show(f"llvm {lir.name}", tuple(texts))
    for stage in table.hosts.values():
        report.add(
            "compile", "callback" if stage.callback else "host call", f"{stage.name} runs in {stage.runs_in}, on the calling thread"
        )
    commands = CommandTable.build(
        table.commands, sizes.initial(), len(table.buffers), len(order), DIMS_FUNCTION if dynamic else "", patches
    )
    constants = {digest: value.array for digest, value in lir.graph.constants().items()}
    program = Program(
        (),
        commands,
        tuple(table.buffers),
        tuple(order),
        arena,
        scratch,
        constants,
        tuple(table.operations),
        tuple(table.costs),
        canaries,
        _parts(lir) if len(table.commands) == len(lir.commands) else (),
        table.hosts,
    )
    return program, tuple(texts)


def _parts(lir: Lir) -> tuple[Part, ...]:
    """The parts of a program without inputs, by output: commands that touch the same value, except leaves, belong together."""
    if lir.graph.inputs:
        return ()
    joined = list(range(len(lir.commands)))  # by command, another of its part, at last the one that stands for it

    def part_of(number: int) -> int:
        while joined[number] != number:
            joined[number] = number = joined[joined[number]]
        return number

    first: dict[int, int] = {}  # by buffer, the first command that touches it
    for number, command in enumerate(lir.commands):
        for place in command.operands:
            if place is not None and lir.buffers[place.buffer].kind in ("arena", "output"):
                joined[part_of(number)] = part_of(first.setdefault(place.buffer, number))
    parts: dict[int, tuple[list[str], list[int]]] = {}
    for number in range(len(joined)):
        parts.setdefault(part_of(number), ([], []))[1].append(number)
    for buffer, number in first.items():
        if lir.buffers[buffer].kind == "output":
            parts[part_of(number)][0].append(lir.buffers[buffer].name)
    return tuple((tuple(names), tuple(numbers)) for names, numbers in parts.values())


# -- utility programs: graphs of one kernel that the runtime itself runs, such as repacking; cached on disk like users' programs


def utility_runner(name: str, build: Callable[[], Graph], inputs: Sequence[str], outputs: Sequence[str]) -> Any:
    """The runner of a graph whose ops are all CPU kernels: planned as it is, without any pass.

    The name determines the graph: it is built only if the cache does not have its program.
    """
    from rlx.backends.cpu.backend import CpuBackend
    from rlx.backends.cpu.compile.program import pack_program, unpack_program
    from rlx.backends.cpu.run.runner import CpuRunner

    backend = CpuBackend.shared()
    key = backend.key("utility", name)
    runner = cache.read(key, lambda stored: CpuRunner(unpack_program(stored)))
    if runner is None:
        program = backend.build(backend.plan(build(), Report()), Report())
        cache.store(key, pack_program(program))
        runner = CpuRunner(program)
    runner.order(inputs, outputs)
    return runner
