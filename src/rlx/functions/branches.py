"""The versions of a function whose Python code branches on traced values: one for each row of answers."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from threading import Lock
from typing import TYPE_CHECKING, Any

from rlx.functions.jit_versions import VERSIONS
from rlx.ir.questions import AskedValue, CallValues

if TYPE_CHECKING:
    from rlx.functions.jit_versions import Version

_FIRST = 0  # the node of the question that every call asks


class Branches:
    """A tree of questions: an answer leads to the next question, or to a version. All calls of one kind and one set of sizes share it.

    Once it has 64 versions it begins anew.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._questions: dict[int, AskedValue] = {}
        self._next: dict[tuple[int, Hashable], int] = {}
        self._versions: dict[int, Version] = {}

    def find(self, arrays: Mapping[str, Any]) -> Version | None:
        """The version for a call on these arrays; None if nobody has taken this path yet."""
        with self._lock:
            questions, after, versions = self._questions, self._next, self._versions
        evaluations: dict[int, CallValues] = {}
        node: int | None = _FIRST
        while node is not None and node in questions:
            question = questions[node]
            asked = question.questions
            known = evaluations.setdefault(id(asked), asked.evaluation(arrays))
            node = after.get((node, question.answer(known)))
        return None if node is None else versions.get(node)

    def add(self, version: Version) -> None:
        """Store a version at the end of the path that its trace took.

        The questions along that path are now those of this trace, so that one evaluation answers them all.
        """
        asked = version.traced.questions
        assert asked is not None, "a version without questions has no branches"
        with self._lock:
            if len(self._versions) >= VERSIONS:  # a call that is under way reads the old ones
                self._questions, self._next, self._versions = {}, {}, {}
            node = _FIRST
            for question, answer in asked.asked:
                self._questions[node] = question
                node = self._next.setdefault((node, answer), len(self._next) + 1)
            self._versions[node] = version
