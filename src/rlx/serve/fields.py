"""Fields of requests: obeyed (they are in the request's type), harmless with a reason, or refused unless their value asks for nothing.

Any other field is a 400 that names it; a lenient server logs it instead.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import msgspec

from rlx.core.errors import did_you_mean
from rlx.serve.errors import ApiError

__all__ = ["FieldTable", "RefusedField", "check_names"]

log = logging.getLogger("rlx.serve")
R = TypeVar("R", bound=msgspec.Struct)


@dataclass(frozen=True)
class RefusedField:
    """A field that cannot be obeyed: why, and the values with which it asks for nothing."""

    reason: str
    neutral: tuple[Any, ...] = ()


@dataclass(frozen=True)
class FieldTable(Generic[R]):
    """The fields of one endpoint. `kind` has those that are obeyed."""

    kind: type[R]
    harmless: Mapping[str, str] = field(default_factory=dict)  # name: why it may be ignored
    refused: Mapping[str, RefusedField] = field(default_factory=dict)

    @property
    def obeyed(self) -> tuple[str, ...]:
        """The names of the request's type."""
        return tuple(entry.encode_name for entry in msgspec.structs.fields(self.kind))

    def read(self, body: Any, lenient: bool = False) -> R:
        """The request in a body; a null is as good as nothing."""
        if not isinstance(body, dict):
            raise ApiError(400, f"the body is {type(body).__name__}, not an object")
        obeyed, taken = set(self.obeyed), {}
        for name, value in body.items():
            if value is None:
                continue
            if name in obeyed:
                taken[name] = value
            elif name in self.refused:
                self._check_neutral(name, value)
            elif name not in self.harmless:
                unknown(name, [*obeyed, *self.harmless, *self.refused], lenient)
        return msgspec.convert(taken, self.kind)

    def _check_neutral(self, name: str, value: Any) -> None:
        refused = self.refused[name]
        if value not in refused.neutral:
            raise ApiError(
                400, f"{name}: {refused.reason}; this server cannot obey it", param=name, code="unsupported_parameter"
            )


def unknown(name: str, known: list[str], lenient: bool, where: str = "") -> None:
    """A field that nobody knows."""
    full = f"{where}{name}"
    if lenient:
        log.warning("ignored the unknown field %r", full[:80])
        return
    hint = did_you_mean(name, known)
    raise ApiError(
        400,
        f"unknown field {full[:80]!r}{': ' + hint if hint else ''}",
        param=full[:80],
        code="unknown_parameter",
    )


def check_names(given: Mapping[str, Any], known: tuple[str, ...], where: str, lenient: bool = False) -> None:
    """The fields of something inside a request."""
    for name, value in given.items():
        if name not in known and value is not None:
            unknown(name, list(known), lenient, where)
