"""What `rlx.register_op` takes for each facet of a user's op; anything else is refused before anything is registered."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from rlx.core.enums import OpKind
from rlx.core.errors import RlxError, did_you_mean
from rlx.ir.attributes import Attr
from rlx.ir.tolerance import Tolerance

_OPERAND = re.compile(r"[A-Za-z_]\w*(:(value|index|mask|packed))?[?*]?")


def _is_function(value: Any) -> bool:
    return callable(value)


def _is_function_or_none(value: Any) -> bool:
    return value is None or callable(value)


def _is_function_or_reason(value: Any) -> bool:
    return callable(value) or isinstance(value, str)


def _are_operands(value: Any) -> bool:
    """`x, index:index, mask:mask?, rest*`, or nothing at all."""
    if not isinstance(value, str):
        return False
    return not value.strip() or all(_OPERAND.fullmatch(part.strip()) for part in value.split(","))


def _by_name(kind: Callable[[Any], bool]) -> Callable[[Any], bool]:
    def test(value: Any) -> bool:
        return value is None or (
            isinstance(value, Mapping) and all(isinstance(name, str) and kind(each) for name, each in value.items())
        )

    return test


def _are_results(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value) and all(isinstance(name, str) for name in value)


_RULE = (_is_function_or_reason, "a function, or a str that says why there is none")
_OPTIONAL = (_is_function_or_none, "a function, or None")
_KERNELS = (_by_name(callable), "functions by device: {'cpu': function}")
_TAKES: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "operands": (_are_operands, "a signature: 'x, index:index, mask:mask?, rest*'"),
    "infer": (_is_function, "a function of the call that gives the result's Shape, or a tuple of them"),
    "reference": (_is_function, "a function of NumPy arrays and the attributes"),
    "attrs": (_by_name(lambda attr: isinstance(attr, Attr)), "Attrs by name: {'scale': Attr('float', 1.0)}"),
    "kernels": _KERNELS,
    "native": _KERNELS,
    "elementwise": _KERNELS,
    "kind": (lambda kind: isinstance(kind, OpKind), f"one of: {', '.join(f'OpKind.{kind.name}' for kind in OpKind)}"),
    "doc": (lambda doc: isinstance(doc, str), "a sentence"),
    "results": (_are_results, "a tuple of names"),
    "tolerance": (lambda tolerance: isinstance(tolerance, Tolerance), "a Tolerance"),
    "can_fail": (lambda flag: isinstance(flag, bool), "True or False"),
    **dict.fromkeys(("vjp", "jvp", "batch", "cases"), _RULE),
    **dict.fromkeys(("decompose", "cost", "normalize", "compute_dtype", "saving", "view"), _OPTIONAL),
}


def check_facets(name: str, facets: Mapping[str, Any]) -> None:
    """Raise RLX105 for the first facet that is unknown or not of its kind."""
    for facet, value in facets.items():
        if facet not in _TAKES:
            hint = did_you_mean(facet, _TAKES)
            known = f"its facets: {', '.join(_TAKES)}"
            raise RlxError("RLX105", f"register_op of {name!r} has no facet {facet!r}", fix=f"{hint} {known}" if hint else known)
        test, takes = _TAKES[facet]
        if not test(value):
            raise RlxError("RLX105", f"{facet} of the op {name!r} is {value!r:.60}", fix=takes)
