"""The bars of the suite serve: ratios of one run, each with what it must reach."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

OURS, HTTP, UNCACHED = "rlx", "rlx over HTTP", "rlx without prefix cache"
PEER, PEER_HTTP = "llama.cpp", "llama.cpp over HTTP"
MIXED, DECODE, SHARED, PREFILL = "mixed", "decode-heavy", "shared prompt", "prefill 128"

Found = Mapping[tuple[str, str, int], Mapping[str, Mapping[str, float]]]
"""(model, kind of load, clients) → contender → measures."""

_AGAINST_PEER = (  # what is compared, the least or most it may be, by clients
    ("throughput", "answer_rate", True, {1: 1.5, 16: 2.0}),
    ("p95 to the first token", "first_p95", False, {4: 0.5, 16: 0.5}),
    ("p95 between tokens", "between_p95", False, {4: 0.7, 16: 0.7}),
)
KEPT_OVER_HTTP = 0.95  # ours over theirs, both over HTTP, over the same ratio in process
MANY_OVER_ONE = 2.5  # decode-heavy: throughput of 16 clients over that of one
MIXED_OVER_PREFILL = 0.8  # all tokens per second at 16 clients over those of a prefill
CACHED_OVER_UNCACHED = 5.0  # how much sooner the first token comes


@dataclass(frozen=True)
class Bar:
    """A ratio and its bound; without a bound it is only told."""

    name: str
    ratio: float
    bound: float | None
    least: bool = True

    @property
    def met(self) -> bool | None:
        """None where there is no bound."""
        if self.bound is None:
            return None
        return self.ratio >= self.bound if self.least else self.ratio <= self.bound

    def row(self) -> tuple[str, str, str, str]:
        """Name, ratio, bound and verdict as texts."""
        bound = "" if self.bound is None else f"{'>=' if self.least else '<='} {self.bound:g}"
        return self.name, f"{self.ratio:.2f}", bound, {True: "pass", False: "FAIL", None: ""}[self.met]


def bars(found: Found) -> Iterator[Bar]:
    """All that can be formed from what was measured."""
    for (model, kind, clients), sides in found.items():
        if kind in (MIXED, DECODE) and OURS in sides and PEER in sides:
            yield from _against_peer(f"{model}, {kind}, {clients} clients", kind, clients, sides[OURS], sides[PEER])
        if OURS in sides and HTTP in sides:
            name = f"{model}, {kind}, {clients} clients: HTTP over the engine"
            yield from _bar(name, sides[HTTP], sides[OURS], "answer_rate", None)
        if all(side in sides for side in (OURS, HTTP, PEER, PEER_HTTP)):
            yield from _kept_over_http(f"{model}, {kind}, {clients} clients", sides)
        if kind == DECODE and clients > 1 and OURS in sides and OURS in found.get((model, kind, 1), {}):
            one = found[model, kind, 1][OURS]
            yield from _bar(f"{model}, {kind}: {clients} clients over one", sides[OURS], one, "answer_rate", MANY_OVER_ONE)
        if kind == MIXED and clients == 16 and OURS in sides and OURS in found.get((model, PREFILL, 1), {}):
            prefill = found[model, PREFILL, 1][OURS]
            yield from _bar(
                f"{model}, {kind}, {clients} clients: all tokens over {PREFILL}",
                sides[OURS],
                prefill,
                "total_rate",
                MIXED_OVER_PREFILL,
            )
        if kind == SHARED and OURS in sides and UNCACHED in sides:
            name = f"{model}, {kind}: first token without the cache over with it"
            yield from _bar(name, sides[UNCACHED], sides[OURS], "first_p50", CACHED_OVER_UNCACHED)


def _against_peer(name: str, kind: str, clients: int, ours: Mapping[str, float], peer: Mapping[str, float]) -> Iterator[Bar]:
    for what, measure, least, bounds in _AGAINST_PEER:
        bound = bounds.get(clients) if kind == MIXED else None
        yield from _bar(f"{name}: {what}", ours, peer, measure, bound, least)


def _kept_over_http(name: str, sides: Mapping[str, Mapping[str, float]]) -> Iterator[Bar]:
    rates = [sides[side].get("answer_rate", 0.0) for side in (HTTP, PEER_HTTP, OURS, PEER)]
    if all(rates):
        ratio = (rates[0] / rates[1]) / (rates[2] / rates[3])
        yield Bar(f"{name}: ratio over HTTP over the one in process", ratio, KEPT_OVER_HTTP)


def _bar(
    name: str, upper: Mapping[str, float], lower: Mapping[str, float], measure: str, bound: float | None, least: bool = True
) -> Iterator[Bar]:
    """Nothing where the ratio has no meaning, as after a side that only failed."""
    if upper.get(measure) and lower.get(measure):
        yield Bar(name, upper[measure] / lower[measure], bound, least)


def text(found: Found) -> str:
    """The table; empty when nothing can be compared."""
    rows = [bar.row() for bar in bars(found)]
    if not rows:
        return ""
    rows.insert(0, ("ours over theirs, and ours over ours", "ratio", "bar", ""))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = [
        "  ".join((row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))))
        for row in rows
    ]
    return "\n".join(line.rstrip() for line in lines)


def latencies(sides: Mapping[str, Mapping[str, float]]) -> str:
    """What a load's table does not say: one line for each side."""
    lines = []
    for name, each in sides.items():
        if "first_p50" in each:
            times = "; ".join(
                f"{what} p50 {each[f'{key}_p50'] * 1e3:.1f} p95 {each[f'{key}_p95'] * 1e3:.1f} ms"
                for what, key in (("first token", "first"), ("between tokens", "between"))
            )
            failed = f"; {each['errors']:.0f} FAILED" if each["errors"] else ""
            lines.append(f"  {name}: {each['total_rate']:.0f} tokens/s with prompts; {times}{failed}")
    return "\n".join(lines)
