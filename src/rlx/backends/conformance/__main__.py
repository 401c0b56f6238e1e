"""`python -m rlx.backends.conformance`: see the package's docstring."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections import Counter
from collections.abc import Iterable, Sequence

import rlx.backends.conformance as package
from rlx.backends.base import Backend
from rlx.backends.conformance.cases import records
from rlx.backends.conformance.modes import MODES, CaseOutcome, outcomes
from rlx.backends.conformance.supported import DECOMPOSED, YES, support
from rlx.backends.registry import find_backend
from rlx.core.errors import RlxError
from rlx.ir.op import OPS, OpDef


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the conformance program; returns 1 if something is wrong, 2 for bad arguments."""
    parser = argparse.ArgumentParser("python -m rlx.backends.conformance", description=package.__doc__, formatter_class=_Kept)
    parser.add_argument("--device", required=True, help="a name of rlx.devices()")
    parser.add_argument("--mode", choices=(*MODES, "support"), default="test")
    parser.add_argument("--op", action="append", help="this op only; may be repeated")
    parser.add_argument("--module", action="append", default=[], help="import this first: it registers ops or their cases")
    parser.add_argument("--dtype", help="rows of this dtype only")
    options = parser.parse_args(arguments)
    for module in options.module:
        importlib.import_module(module)
    try:
        backend = find_backend(options.device)
        chosen = records() if options.op is None else [OPS[name] for name in options.op]
    except RlxError as error:
        print(error, file=sys.stderr)
        return 2
    without = [record.name for record in chosen if not callable(record.cases)]
    if without:
        print(f"{', '.join(without)}: no cases", file=sys.stderr)
        return 2
    if options.mode == "support":
        return _print_support(backend, chosen, options.dtype)
    return _print_outcomes(backend, chosen, options.mode, options.dtype)


class _Kept(argparse.RawDescriptionHelpFormatter):
    """Help formatter that preserves the description's lines."""


def _print_support(backend: Backend, chosen: Iterable[OpDef], dtype: str | None) -> int:
    answers: Counter[str] = Counter()
    for record in chosen:
        for row in support(backend, record, dtype):
            print(f"{row.op:34} {row.dtype:7} {row.answer if row.answer in (YES, DECOMPOSED) else f'no: {row.answer}'}")
            answers[row.answer if row.answer in (YES, DECOMPOSED) else "no"] += 1
    total = sum(answers.values())
    print(
        f"{backend.name}: {total} ops in a dtype, {answers[YES]} yes, {answers[DECOMPOSED]} {DECOMPOSED}, {answers['no']} not supported"
    )
    return 0


def _print_outcomes(backend: Backend, chosen: Iterable[OpDef], mode: str, dtype: str | None) -> int:
    states: Counter[str] = Counter()
    for record in chosen:
        results = outcomes(backend, mode, record, dtype)
        states.update(outcome.state for outcome in results)
        for kind in dict.fromkeys(outcome.row.kind for outcome in results):
            for line in lines([outcome for outcome in results if outcome.row.kind == kind], mode):
                print(f"{record.name:34} {kind:7} {line}", flush=True)
    planned = f"{states['planned']} planned, " if states["planned"] else ""
    total = sum(states.values())
    print(
        f"{backend.name}: {total} cases, {states['ok']} ok, {planned}{states['not supported']} not supported, {states['FAIL']} wrong"
    )
    return 1 if states["FAIL"] else 0


def lines(found: Sequence[CaseOutcome], mode: str) -> list[str]:
    """The table lines of an op in one dtype: one line for equal outcomes, one for each that is wrong or was timed."""
    if mode == "perf":
        return [outcome.detail if outcome.state == "ok" else f"{outcome.state}: {outcome.detail}" for outcome in found]
    made = []
    for state in ("ok", "planned"):
        these = [outcome for outcome in found if outcome.state == state]
        if these:
            worst = max(outcome.worst for outcome in these)
            error = f", largest error {worst:.2g} of its bound" if worst else ""
            made.append(f"{state}: {len(these)} case{'s' * (len(these) > 1)}{error}")
    for reason, count in Counter(outcome.detail for outcome in found if outcome.state == "not supported").items():
        made.append(f"not supported: {reason} ({count} case{'s' * (count > 1)})")
    return made + [f"FAIL: {outcome.detail}" for outcome in found if outcome.state == "FAIL"]


if __name__ == "__main__":
    sys.exit(main())
