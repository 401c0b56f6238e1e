"""Fit the polynomials and rationals of the elementary functions; `fit_special_functions.py` prints them with its own.

Polynomials are minimax (Remez exchange) in the weight given, their coefficients rounded one after the other with the
rest fitted anew; rationals are weighted least squares, reweighted towards equal errors (Lawson).
"""

import textwrap
from collections.abc import Callable, Mapping, Sequence

import mpmath as mp
import numpy as np

mp.mp.dps = 50
Function = Callable[[mp.mpf], mp.mpf]
Tables = dict[str, tuple[str, dict[str, list[float]]]]
"""By name: the formula, and coefficients by dtype."""


def nodes(low: mp.mpf, high: mp.mpf, count: int) -> list[mp.mpf]:
    """Points that crowd towards both ends of an interval; never its middle when the count is even."""
    return [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * (i + 0.5) / count) for i in range(count)]


def remez(f: Function, low: mp.mpf, high: mp.mpf, powers: Sequence[int], weight: Function) -> list[mp.mpf]:
    """The coefficients c that make the largest |weight · (f − Σ c x^power)| least."""
    unknowns = len(powers)
    grid = nodes(low, high, 600)
    values, weights = [f(x) for x in grid], [weight(x) for x in grid]
    chosen = [round((i + 0.3) * 599 / (unknowns + 1)) for i in range(unknowns + 1)]
    best: tuple[mp.mpf, list[mp.mpf]] | None = None
    for _ in range(8):
        matrix, right = mp.matrix(unknowns + 1, unknowns + 1), mp.matrix(unknowns + 1, 1)
        for row, at in enumerate(chosen):
            scale = weights[at]
            for column, power in enumerate(powers):
                matrix[row, column] = scale * grid[at] ** power
            matrix[row, unknowns] = (-1) ** row
            right[row] = scale * values[at]
        found = list(mp.lu_solve(matrix, right))[:unknowns]
        errors = [
            w * (v - mp.fsum(c * x**p for c, p in zip(found, powers, strict=True)))
            for x, v, w in zip(grid, values, weights, strict=True)
        ]
        largest = max(abs(error) for error in errors)
        if best is None or largest < best[0]:
            best = largest, found
        peaks, start = [], 0
        for i in range(1, len(grid) + 1):  # the largest error of each stretch of one sign
            if i == len(grid) or (errors[i] >= 0) != (errors[start] >= 0):
                peaks.append(max(range(start, i), key=lambda j: abs(errors[j])))
                start = i
        while len(peaks) > unknowns + 1:
            peaks.pop(0 if abs(errors[peaks[0]]) < abs(errors[peaks[-1]]) else -1)
        if len(peaks) < unknowns + 1 or peaks == chosen:
            break
        chosen = peaks
    assert best is not None
    return best[1]


def rounded(value: mp.mpf, kind: str) -> float:
    return float(np.float32(float(value))) if kind == "f32" else float(value)


def polynomial(kind: str, f: Function, low: object, high: object, terms: int, weight: Function) -> list[float]:
    """Minimax coefficients in the precision of `kind`, the lowest power first."""
    done: list[float] = []
    rest = f
    for power in range(terms):
        found = remez(rest, mp.mpf(low), mp.mpf(high), range(power, terms), weight)
        done.append(rounded(found[0], kind))
        rest = lambda x, f=rest, c=done[-1], p=power: f(x) - c * x**p  # noqa: E731
    return done


def rational(kind: str, f: Function, high: object, top: int, bottom: int, low: object = 0) -> tuple[list[float], list[float]]:
    """P, Q with P/Q near f on [low, high], relatively; Q starts with 1. From 0 the points crowd towards it."""
    if low == 0:
        points = [x * x for x in nodes(mp.mpf(0), mp.sqrt(mp.mpf(high)), 100)]
    else:
        points = nodes(mp.mpf(low), mp.mpf(high), 100)
    values, emphasis, denominators = [f(x) for x in points], [mp.mpf(1)] * 100, [mp.mpf(1)] * 100
    best: tuple[mp.mpf, list[mp.mpf], list[mp.mpf]] | None = None
    for _ in range(10):
        matrix, right = mp.matrix(100, top + 1 + bottom), mp.matrix(100, 1)
        for i, x in enumerate(points):
            scale = mp.sqrt(emphasis[i]) / (values[i] * denominators[i])
            for j in range(top + 1):
                matrix[i, j] = scale * x**j
            for j in range(1, bottom + 1):
                matrix[i, top + j] = -scale * values[i] * x**j
            right[i] = scale * values[i]
        found = list(mp.qr_solve(matrix, right)[0])
        p, q = found[: top + 1], [mp.mpf(1), *found[top + 1 :]]
        denominators = [mp.polyval(q[::-1], x) for x in points]
        errors = [abs(1 - mp.polyval(p[::-1], x) / (d * v)) for x, d, v in zip(points, denominators, values, strict=True)]
        if best is None or max(errors) < best[0]:
            best = max(errors), p, q
        total = mp.fsum(e * w for e, w in zip(errors, emphasis, strict=True)) / 100
        emphasis = [max(w * e / total, mp.mpf(10) ** -8) for e, w in zip(errors, emphasis, strict=True)]
    assert best is not None
    return [rounded(c, kind) for c in best[1]], [rounded(c, kind) for c in best[2]]


def near_zero(f: Function, limit: Function) -> Function:
    """f, and its series where f would cancel."""
    return lambda x: limit(x) if abs(x) < mp.mpf(10) ** -14 else f(x)


ROOT2 = mp.sqrt(2)
EXP = near_zero(lambda r: (mp.expm1(r) - r) / r**2, lambda r: 0.5 + r / 6)
LOG = near_zero(lambda f: (mp.log1p(f) - f + f * f / 2) / f**3, lambda f: mp.mpf(1) / 3 - f / 4)
ATANH = near_zero(lambda z: 2 * (mp.atanh(mp.sqrt(z)) - mp.sqrt(z)) / mp.sqrt(z) ** 3, lambda z: mp.mpf(2) / 3)
ATANH_REST = near_zero(lambda z: (ATANH(z) - mp.mpf(2) / 3) / z, lambda z: mp.mpf(2) / 5 + 2 * z / 7)
SIN = near_zero(lambda z: (mp.sin(mp.sqrt(z)) - mp.sqrt(z)) / mp.sqrt(z) ** 3, lambda z: -mp.mpf(1) / 6)
COS = near_zero(lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2, lambda z: mp.mpf(1) / 24)
ATAN = near_zero(lambda z: (mp.atan(mp.sqrt(z)) - mp.sqrt(z)) / mp.sqrt(z) ** 3, lambda z: -mp.mpf(1) / 3)
ERF = near_zero(lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1, lambda z: 2 / mp.sqrt(mp.pi) * (1 - z / 3) - 1)


def mills(a: mp.mpf) -> mp.mpf:
    return mp.exp(a * a / 2) * mp.erfc(a / ROOT2) / 2


def elementary() -> Tables:
    """The tables of exponentials, logarithms, circular functions and the normal distribution."""
    half_log2, eighth = mp.log(2) / 2 * mp.mpf("1.01"), (ROOT2 - 1) ** 2 * mp.mpf("1.001")
    quarter = (mp.pi / 4 * mp.mpf("1.01")) ** 2
    tables: Tables = {}

    def add(name: str, formula: str, f: Function, low: object, high: object, weight: Function, **terms: int) -> None:
        tables[name] = (formula, {kind: polynomial(kind, f, low, high, count, weight) for kind, count in terms.items()})

    add("EXP", "exp(r) = 1 + r + r²·p(r), |r| ≤ log(2)/2", EXP, -half_log2, half_log2, lambda r: r * r, f32=5, f64=10)
    add(
        "LOG",
        "log(1 + f) = f − f²/2 + f³·p(f), 1 + f in [1/√2, √2]",
        LOG,
        1 / ROOT2 - 1,
        ROOT2 - 1,
        lambda f: f**3 / mp.log1p(f),
        f32=9,
    )
    add("ATANH", "log((1 + s)/(1 − s)) = 2s + s³·p(s²), |s| ≤ 3 − 2√2", ATANH, 0, eighth**2, lambda z: z / 2, f64=7)
    add("ATANH_REST", "the same past its second term: p(z) = 2/3 + z·q(z)", ATANH_REST, 0, eighth**2, lambda z: z, f64=9)
    add("SIN", "sin(r) = r + r³·p(r²), |r| ≤ π/4", SIN, 0, quarter, lambda z: z, f32=4, f64=7)
    add("COS", "cos(r) = 1 − r²/2 + r⁴·p(r²), |r| ≤ π/4", COS, 0, quarter, lambda z: z * z, f32=3, f64=7)
    add("ATAN", "atan(t) = t + t³·p(t²), |t| ≤ √2 − 1", ATAN, 0, eighth, lambda z: z, f32=5, f64=12)
    add("ERF", "erf(x) = x + x·p(x²), |x| ≤ 0.9", ERF, 0, mp.mpf("0.82"), lambda z: mp.mpf(1), f32=7, f64=13)
    top, bottom = zip(rational("f32", mills, "14.6", 4, 5), rational("f64", mills, "38.7", 10, 11), strict=True)
    tables["MILLS_TOP"] = "exp(a²/2)·Φ(−a) = p(a)/q(a), a ≥ 0: p", dict(zip(("f32", "f64"), top, strict=True))
    tables["MILLS_BOTTOM"] = "and q", dict(zip(("f32", "f64"), bottom, strict=True))
    return tables


def write(tables: Mapping[str, tuple[str, Mapping[str, Sequence[float]]]]) -> None:
    """Print each table with its formula, in rows of numbers."""
    for name, (formula, by_kind) in tables.items():
        print(f"\n# {formula}\n{name} = {{")
        for kind, coefficients in by_kind.items():
            numbers = ", ".join(map(repr, coefficients))
            short = len(numbers) <= 116
            rows = [numbers] if short else ["", *textwrap.wrap(numbers + ",", 124, break_on_hyphens=False)]
            print(f'    "{kind}": (' + "\n        ".join(rows) + (")," if short else "\n    ),"))
        print("}  # fmt: skip")
