"""Fit the approximations of the special functions and print `coefficients.py`.

    python scripts/fit_special_functions.py > src/rlx/formulas/coefficients.py        (needs mpmath)

The methods are those of `fit_polynomials.py`. f32 has a table of its own where a function is computed in f32; the rarer ones are
computed in f64.
"""

import mpmath as mp
from fit_polynomials import Function, elementary, near_zero, nodes, polynomial, rational, write

DIGAMMA_ROOT = mp.findroot(mp.digamma, mp.mpf("1.4616"))
SINH = near_zero(lambda z: (mp.sinh(mp.sqrt(z)) - mp.sqrt(z)) / mp.sqrt(z) ** 3, lambda z: mp.mpf(1) / 6)


def interpolated(f: Function, low: object, high: object, terms: int) -> list[float]:
    """The f64 polynomial through Chebyshev's points of an interval: nearly minimax."""
    points = nodes(mp.mpf(low), mp.mpf(high), terms)
    matrix = mp.matrix(terms, terms)
    for row, x in enumerate(points):
        for power in range(terms):
            matrix[row, power] = x**power
    return [float(c) for c in mp.lu_solve(matrix, mp.matrix([f(x) for x in points]))]


def log_gamma(x: mp.mpf) -> mp.mpf:
    return mp.log(mp.gamma(x))


def log_gamma_over(center: int) -> Function:
    """lgamma(center + f)/f for a zero of lgamma."""
    return near_zero(lambda f: log_gamma(center + f) / f, lambda f: mp.digamma(center) + mp.polygamma(1, center) * f / 2)


def stirling(z: mp.mpf) -> mp.mpf:
    """What Stirling's formula lacks, times x, at z = 1/x²."""
    if z < mp.mpf(10) ** -10:
        return mp.mpf(1) / 12 - z / 360
    x = 1 / mp.sqrt(z)
    return (mp.loggamma(x) - (x - 0.5) * mp.log(x) + x - mp.log(2 * mp.pi) / 2) * x


def digamma_rest(z: mp.mpf) -> mp.mpf:
    """log x − 1/(2x) − ψ(x), times x², at z = 1/x²."""
    if z < mp.mpf(10) ** -10:
        return mp.mpf(1) / 12 - z / 120
    x = 1 / mp.sqrt(z)
    return (mp.log(x) - 1 / (2 * x) - mp.digamma(x)) / z


def digamma_over(t: mp.mpf) -> mp.mpf:
    """ψ(x)/(x − root) at x = 1.5 + t."""
    x = mp.mpf(1.5) + t
    gap = x - DIGAMMA_ROOT
    return mp.polygamma(1, DIGAMMA_ROOT) if abs(gap) < mp.mpf(10) ** -20 else mp.digamma(x) / gap


def inverse_erf(x: mp.mpf) -> mp.mpf:
    return mp.erfinv(x)


def normal_quantile(r: mp.mpf) -> mp.mpf:
    """The z with Φ(−z) = e^(−r²)."""
    target = -r * r
    z = r * mp.sqrt(2) if r > 2 else mp.mpf(1)
    for _ in range(60):  # Newton on the logarithm of the tail, which is nearly a parabola
        tail = mp.erfc(z / mp.sqrt(2)) / 2
        step = (mp.log(tail) - target) * tail * mp.sqrt(2 * mp.pi) * mp.exp(z * z / 2)
        z += step
        if abs(step) < mp.mpf(10) ** -40:
            break
    return z


def bessel_near(order: int) -> Function:
    """I₀(x) or I₁(x)/x at z = x²."""
    return near_zero(
        lambda z: mp.besseli(order, mp.sqrt(z)) / mp.sqrt(z) ** order, lambda z: mp.mpf(1) if order == 0 else mp.mpf(0.5)
    )


def bessel_far(order: int) -> Function:
    """√x·e^(−x)·I(x) at u = 16/x − 1."""

    def scaled(t: mp.mpf) -> mp.mpf:
        return mp.exp(-1 / t) * mp.besseli(order, 1 / t) / mp.sqrt(t)

    limit = near_zero(scaled, lambda t: 1 / mp.sqrt(2 * mp.pi))
    return lambda u: limit((u + 1) / 16)


def main() -> None:
    """Print the module of tables."""
    tables = elementary()

    def pair(name: str, formula: str, f: Function, high: object, low: object = 0, **degrees: tuple[int, int]) -> None:
        fitted = {kind: rational(kind, f, high, *degree, low=low) for kind, degree in degrees.items()}
        tables[f"{name}_TOP"] = f"{formula}: p", {kind: top for kind, (top, _) in fitted.items()}
        tables[f"{name}_BOTTOM"] = "and q", {kind: bottom for kind, (_, bottom) in fitted.items()}

    def series(name: str, formula: str, f: Function, high: object, weight: Function, **terms: int) -> None:
        tables[name] = formula, {kind: polynomial(kind, f, 0, high, count, weight) for kind, count in terms.items()}

    eighth = mp.mpf(1) / 64
    series("SINH", "sinh(x) = x + x³·p(x²), |x| ≤ 1", SINH, mp.mpf("1.01"), lambda z: z, f32=4, f64=8)
    pair("LGAMMA_ONE", "lgamma(1 + f) = f·p(f)/q(f), −0.3 ≤ f ≤ ½", log_gamma_over(1), 0.5, "-0.3", f64=(7, 7))
    pair("LGAMMA_TWO", "lgamma(2 + f) = f·p(f)/q(f), |f| ≤ ½", log_gamma_over(2), 0.5, -0.5, f64=(7, 7))
    series(
        "STIRLING",
        "lgamma(x) = (x − ½)·log x − x + log(2π)/2 + p(1/x²)/x, x ≥ 8",
        stirling,
        eighth,
        lambda z: z + mp.mpf(10) ** -3,
        f64=8,
    )
    pair("DIGAMMA", "ψ(x) = (x − root)·p(t)/q(t), t = x − 1.5, 1 ≤ x ≤ 2", digamma_over, 0.5, -0.5, f64=(6, 6))
    series("DIGAMMA_FAR", "ψ(x) = log x − 1/(2x) − p(1/x²)/x², x ≥ 8", digamma_rest, eighth, lambda z: z + mp.mpf(10) ** -3, f64=9)
    over = near_zero(lambda z: inverse_erf(mp.sqrt(z)) / mp.sqrt(z), lambda z: mp.sqrt(mp.pi) / 2)
    pair(
        "ERFINV",
        "erfinv(x) = x·p(t)/q(t), t = 0.7225 − x², |x| ≤ 0.85",
        lambda t: over(mp.mpf(0.7225) - t),
        0.7225,
        f32=(4, 4),
        f64=(7, 7),
    )
    pair("QUANTILE", "Φ(−z) = e^(−r²): z = p(r)/q(r), 1.6 ≤ r ≤ 5", normal_quantile, 5, "1.6", f32=(3, 3), f64=(7, 7))
    pair("QUANTILE_FAR", "the same for 5 ≤ r ≤ 27.3", normal_quantile, "27.31", 5, f32=(3, 3), f64=(7, 7))
    for order in (0, 1):
        near, far = interpolated(bessel_near(order), 0, 64, 21), interpolated(bessel_far(order), -1, 1, 25)
        tables[f"BESSEL_{order}"] = f"I{order}(x) = x^{order}·p(x²), |x| ≤ 8", {"f64": near}
        tables[f"BESSEL_{order}_FAR"] = f"e^(−x)·I{order}(x) = p(16/x − 1)/√x, x ≥ 8", {"f64": far}
    print('"""Coefficients of polynomials and rationals, lowest power first. Written by `scripts/fit_special_functions.py`."""')
    write(tables)


if __name__ == "__main__":
    main()
