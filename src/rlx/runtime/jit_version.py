"""One compiled version of a jitted function: how it runs, and which of its arguments it may write results into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from rlx.core.report import Report
from rlx.ir.value import Value
from rlx.ir.whole import WholeNumbers
from rlx.runtime.array import as_arrays
from rlx.runtime.executable import Executable
from rlx.runtime.input_arrays import why_not_donated
from rlx.trace.tracer import TracedFunction


class Donated:
    """The donated inputs of a version. Arrays that do not qualify are passed as usual, and the report says so once."""

    def __init__(self, inputs: Mapping[str, str], executable: Executable, report: Report) -> None:
        self._names, self._report, self._told = inputs, report, set[str]()  # by input, the user's name
        taken = {source for source, _ in executable.code.donations}
        self._inputs = [name for name in inputs if name in taken]
        for name in inputs:
            if name not in taken:
                self._tell(name, "no result of its dtype and size is written after its last read")

    def of_call(self, inputs: Mapping[str, Any]) -> list[str]:
        """The inputs of one call whose memory may be written."""
        found = []
        for donated in self._inputs:
            array = inputs[donated]
            others = [other for name, other in inputs.items() if name != donated]
            if type(array) is not np.ndarray or not array.flags.c_contiguous:
                self._tell(donated, "its array is not dense")
            elif (why_not := why_not_donated(array, others)) is not None:
                self._tell(donated, f"its array {why_not}")
            else:
                found.append(donated)
        return found

    def _tell(self, name: str, why: str) -> None:
        line = f"{self._names[name]}: {why}"
        if line not in self._told:
            self._told.add(line)
            self._report.add("jit", "not donated", line)


@dataclass
class Version:
    """One version: the traced function, the executable, and the versions of the handles whose arrays it has."""

    traced: TracedFunction
    executable: Executable
    whole: WholeNumbers | None  # those to check at each call
    names: Mapping[str, str]  # of the arguments, by path
    donated: Donated | None = None
    handles: dict[str, int] = field(default_factory=dict)

    def results(self, arrays: Mapping[str, Any]) -> dict[str, Any]:
        """Run on arrays by path, with params as they are now: results by output name."""
        if self.whole is not None:
            self.whole.check(arrays, self.names)
        return self._results({name: arrays[path] for path, name in self.traced.inputs.items()})

    def _results(self, inputs: dict[str, Any]) -> dict[str, Any]:
        if self.traced.graph.handles:
            self._set_handles()
        if self.donated is not None:
            return self.executable.run(inputs, donate=self.donated.of_call(inputs))
        return self.executable.run(inputs)

    def _set_handles(self) -> None:
        for name, handle in self.traced.graph.handles.items():
            if self.handles.get(name) != handle.version:
                self.executable.set_param(name, handle.value)
                self.handles[name] = handle.version

    def run(self, arrays: Mapping[str, Any]) -> Any:
        """What the function returns for arrays by path: Arrays in its containers."""
        return self._rebuilt(self.results(arrays))

    def run_positional(self, arrays: Sequence[Any]) -> Any:
        """The same for arrays that are all the arguments, in order: the usual call, which is short."""
        names = self.positional
        if names is None or len(names) != len(arrays):
            return self.run({f"0.{index}": array for index, array in enumerate(arrays)})
        return self._rebuilt(self._results(dict(zip(names, arrays))))  # noqa: B905

    def _rebuilt(self, found: Mapping[str, Any]) -> Any:
        if self.single:
            (array,) = found.values()
            return as_arrays(array)
        return self.traced.rebuilt([as_arrays(array) for array in found.values()])

    @cached_property
    def single(self) -> bool:
        """Whether the function returns one array, in no container."""
        return isinstance(self.traced.out_tree, Value) and not self.traced.fixed

    @cached_property
    def positional(self) -> tuple[str, ...] | None:
        """The graph's inputs where they are the positional arguments, and nothing else is to be checked."""
        inputs = self.traced.inputs
        alike = self.whole is None and list(inputs) == [f"0.{index}" for index in range(len(inputs))]
        return tuple(inputs.values()) if alike else None
