"""The limits of one rendering of a chat template: bytes per value, total bytes, CPU time, depth.

All limits grow with the caller's input, so that a long conversation passes.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import ItemsView, Iterable, KeysView, Mapping, ValuesView
from contextvars import ContextVar
from typing import Any

from rlx.core.errors import RlxError

SECONDS = 0.3
BYTES = 1 << 24  # per value; a list or dict counts with its contents
BITS = 4096  # per integer
DEPTH = 64  # of nested macro calls
_TOTAL = 1 << 27  # total bytes of all values, including freed ones
_VALUE_PER_BYTE, _TOTAL_PER_BYTE, _SECONDS_PER_BYTE = 16, 64, 1e-5  # added for each byte of input
_STEPS_BETWEEN_LOOKS = 64  # between reads of the clock, which are slow
_BYTES_PER_STEP = 4096
_HEAD, _SLOT, _NUMBER = (
    64,
    8,
    32,
)  # bytes of an empty container, of an element slot, and of anything that is neither text nor container

_CONTAINERS = (list, tuple, dict, set, frozenset, KeysView, ValuesView, ItemsView)


def refused(what: str, fix: str = "") -> RlxError:
    """The error of a template that does something forbidden."""
    return RlxError("RLX904", f"the chat template {what}", fix=fix, at=None)


class Budget:
    """What a rendering has left. Weights are bytes; lists and dicts count their contents each time they contain them."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self._known: dict[int, tuple[object, int]] = {}  # weights of containers, which are kept alive here so that ids stay unique
        self.values = {name: self._taken(value, name) for name, value in given.items()}
        self.given = sum(self.weight(value) for value in self.values.values())
        self.largest = BYTES + _VALUE_PER_BYTE * self.given
        self._left = _TOTAL + _TOTAL_PER_BYTE * self.given
        self._seconds = SECONDS + _SECONDS_PER_BYTE * self.given
        self._end = math.inf
        self._steps = 0
        self._depth = 0

    def begin(self) -> None:
        """Start the clock: from here on the template's code runs."""
        self._end = time.thread_time() + self._seconds

    def _taken(self, value: Any, name: str, depth: int = 0) -> Any:
        """A caller's value as plain data, so that a template cannot reach methods with side effects."""
        if value is None or type(value) in (bool, int, float, str):
            return value
        if depth > DEPTH:
            raise RlxError("RLX903", f"{name} is nested deeper than {DEPTH}", at=None)
        if isinstance(value, Mapping):
            return self._noted(
                {self._taken(key, name, depth + 1): self._taken(part, name, depth + 1) for key, part in value.items()}
            )
        if isinstance(value, (list, tuple)):
            parts = [self._taken(part, name, depth + 1) for part in value]
            return self._noted(parts if isinstance(value, list) else tuple(parts))
        if isinstance(value, str):
            return str.__str__(value)  # str(value) of an enum is its name
        if isinstance(value, (int, float)):
            return int(value) if isinstance(value, int) else float(value)
        if hasattr(value, "item") and getattr(value, "shape", None) == ():  # a NumPy scalar
            return self._taken(value.item(), name, depth + 1)
        raise RlxError("RLX903", f"{name} contains a {type(value).__name__}", fix="pass texts, numbers, lists and dicts", at=None)

    def _noted(self, container: Any) -> Any:
        parts: Iterable[Any] = (*container, *container.values()) if isinstance(container, dict) else container
        self._known[id(container)] = container, _HEAD + sum(_SLOT + self.weight(part) for part in parts)
        return container

    def weight(self, value: Any) -> int:
        """The bytes of a value."""
        if isinstance(value, str):
            return sys.getsizeof(value)
        if not isinstance(value, _CONTAINERS):
            return _NUMBER
        known = self._known.get(id(value))
        if known is None:
            known = self._known[id(value)] = value, self._counted(value)
        return known[1]

    def _counted(self, container: Any) -> int:
        total, pending = 0, [container]
        while pending:
            part = pending.pop()
            known = self._known.get(id(part))
            if known is not None:
                total += known[1]
            elif isinstance(part, _CONTAINERS):
                total += _HEAD + _SLOT * len(part)
                self.limit(total)
                pending += (*part, *part.values()) if isinstance(part, dict) else part
            else:
                total += self.weight(part)
            self.limit(total)
        return total

    def note_part(self, part: Any, whole: Any) -> Any:
        """A slice of a list: no heavier than the list, without counting."""
        if isinstance(part, (list, tuple)) and part:
            self.charge(_SLOT * len(part))
            self._known[id(part)] = part, self.weight(whole)
            return part
        return self.made(part)

    def limit(self, size: float) -> None:
        """Check the bytes of one value."""
        if size > self.largest:
            raise refused(f"creates a value of {size:.4g} bytes, the limit is {self.largest}")

    def charge(self, size: int) -> None:
        """Charge bytes that were created."""
        self._left -= size
        if self._left < 0:
            raise refused("creates too many texts and lists, or too large ones, for its input")
        self.step(size)

    def step(self, size: int = 0) -> None:
        """Charge an operation on this many bytes; now and then the clock is checked."""
        self._steps += 1 + size // _BYTES_PER_STEP
        if self._steps >= _STEPS_BETWEEN_LOOKS:
            self._steps = 0
            if time.thread_time() > self._end:
                raise refused(f"ran longer than {self._seconds:g} s")

    def made(self, value: Any) -> Any:
        """A value, if it is within the limits."""
        if isinstance(value, str):
            size = sys.getsizeof(value)
            self.limit(size)
            self.charge(size)
        elif isinstance(value, int):
            self.number(value)
        elif isinstance(value, _CONTAINERS) and id(value) not in self._known:
            self.charge(_SLOT * len(value))
            self.limit(self.weight(value))
        return value

    def number(self, value: Any) -> None:
        """Check the bits of an integer."""
        if isinstance(value, int) and value.bit_length() > BITS:
            raise refused(f"creates a number of {value.bit_length()} bits, the limit is {BITS}")

    def held(self, value: Any) -> Any:
        """The items of an iterator, as a list that was weighed while it grew; anything else unchanged."""
        if not hasattr(value, "__next__"):
            return value
        parts, total = [], 0
        for part in value:
            total += _SLOT + self.weight(part)
            self.limit(total)
            self.step()
            parts.append(part)
        return self.made(parts)

    def enter(self) -> None:
        """A call begins."""
        self._depth += 1
        if self._depth > DEPTH:
            raise refused(f"nests macro calls deeper than {DEPTH}")

    def leave(self) -> None:
        """A call ends."""
        self._depth -= 1


current: ContextVar[Budget] = ContextVar("rlx_template_budget")
"""The budget of the rendering that runs in this thread."""
