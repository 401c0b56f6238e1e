"""The processes that train together, each on its hosts' devices: what they agree on, and the part of a batch that each reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rlx.core.dtype import DType
from rlx.runtime.session import Session
from rlx.train.data import TokenStream


@dataclass(frozen=True)
class Hosts:
    """The processes of a session's mesh; one, without a mesh. All of them call the same methods in the same order.

    >>> hosts = Hosts(Session("reference"))
    >>> hosts.is_first, hosts.any(True), hosts.first_says(7)
    (True, True, 7)
    """

    session: Session

    @property
    def index(self) -> int:
        """Which of them this is."""
        return 0 if self._arrays is None else self._arrays.process

    @property
    def count(self) -> int:
        """How many there are."""
        return 1 if self._arrays is None else self._arrays.processes

    @property
    def is_first(self) -> bool:
        """Whether this one writes what all have in common, and prints."""
        return self.index == 0

    @property
    def _arrays(self) -> Any:
        return None if self.session.sharding is None else self.session.arrays

    def _gathered(self, number: int) -> list[int]:
        return [number] if self.count == 1 else self._arrays.gathered(number)

    def any(self, flag: bool) -> bool:
        """Whether it holds for one of them."""
        return max(self._gathered(flag)) > 0

    def all(self, flag: bool) -> bool:
        """Whether it holds for each of them."""
        return min(self._gathered(flag)) > 0

    def first_says(self, number: int) -> int:
        """The number of the first one, for all."""
        return self._gathered(number)[0]

    def meet(self) -> None:
        """Wait for each other."""
        self._gathered(0)

    def batch(self, stream: TokenStream, step: int) -> dict[str, Any]:
        """The batch of a step: of many processes each reads the rows that its own devices get."""
        if self.count == 1:
            return dict(stream.at(step))
        made = {}
        for name, dims in stream.dims().items():

            def read(slices: tuple[slice, ...], name: str = name) -> Any:
                return stream.part(name, step, slices)

            assert self.session.sharding is not None
            spec = self.session.sharding.input_spec(name, dims)
            made[name] = self._arrays.assembled(dims, DType.of("i32"), spec, read)
        return made
