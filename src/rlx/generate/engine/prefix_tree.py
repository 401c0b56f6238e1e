"""The prefix cache: a tree whose edges are pages full of tokens, so that prompts with a common beginning share its pages.

A node is the text from the root to it. It holds its page, and for a recurrent model the states after its last token, where they were
kept. The end of a text may fill a part of a page; a prompt that goes on otherwise reads the common part of one. Nodes that no sequence
reads are given up one by one when pages run out, the least recently used first, ends before beginnings.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from rlx.generate.engine.pages import PagePool
from rlx.generate.runner import common_length

_LOOKED_AT = 64
"""How many pages are compared token by token with what a prompt goes on with: the latest."""


@dataclass(eq=False)
class PrefixNode:
    """A page of a known beginning."""

    key: tuple[Hashable, ...]
    page: int
    parent: PrefixNode | None
    children: dict[tuple[Hashable, ...], PrefixNode] = field(default_factory=dict)
    used: int = 0  # when it was last part of a prompt
    noted: bool = False  # whether the tree's heap of leaves has it
    states: dict[str, Any] | None = None  # recurrent states after its last token


class PrefixTree:
    """Beginnings of prompts, in pages of `size` tokens.

    >>> pool = PagePool(8)
    >>> tree = PrefixTree(pool, size=2)
    >>> pages = pool.take(2)
    >>> tree.insert((), [5, 6, 7, 8, 9], pages).page
    1
    >>> [node.page for node in tree.match((), [5, 6, 7, 0])]
    [0]
    """

    def __init__(self, pool: PagePool, size: int) -> None:
        self.pool, self.size = pool, size
        self._roots: dict[Hashable, PrefixNode] = {}  # by what else the keys and values depend on
        self._clock = 0
        self._leaves: list[tuple[int, int, PrefixNode]] = []  # a heap of leaves by their last use, some out of date
        self.pages = 0

    def partial(self, kind: Hashable, nodes: Sequence[PrefixNode], tokens: Sequence[int]) -> tuple[int, int]:
        """The page after `nodes` that begins most like the tokens behind theirs, and how many of them are the same."""
        last = nodes[-1] if nodes else self._roots.get(kind)
        rest = tuple(tokens[len(nodes) * self.size :][: self.size])
        best, page = 0, -1
        for child in itertools.islice(reversed(last.children.values()), _LOOKED_AT) if last is not None else ():
            if child.key[:1] == rest[:1]:
                same = common_length(child.key, rest)
                if same > best:
                    best, page, child.used = same, child.page, self._clock
        return page, best

    def match(self, kind: Hashable, tokens: Sequence[int], *, with_states: bool = False) -> list[PrefixNode]:
        """The nodes of the longest known beginning, in order; with states: as far as the last node that has them."""
        node, found, longest = self._roots.get(kind), [], 0
        self._clock += 1
        for start in range(0, len(tokens) - self.size + 1, self.size):
            node = node and node.children.get(tuple(tokens[start : start + self.size]))
            if node is None:
                break
            node.used = self._clock
            found.append(node)
            longest = len(found) if node.states is not None or not with_states else longest
        return found[:longest]

    def insert(self, kind: Hashable, tokens: Sequence[int], pages: Sequence[int]) -> PrefixNode | None:
        """Make a beginning known; where it already is, the pages of the tree stay. Gives its last node. The last page may be a part of one:
        nobody may write to it any more."""
        node: PrefixNode | None = None
        self._clock += 1
        for number, page in enumerate(pages[: -(-len(tokens) // self.size)]):
            if node is None:
                node = self._roots.setdefault(kind, PrefixNode((kind,), -1, None))
            key = tuple(tokens[number * self.size : (number + 1) * self.size])
            child = node.children.get(key)
            if child is None:
                child = node.children[key] = PrefixNode(key, page, node)
                self.pool.share((page,))
                self.pages += 1
            child.used = self._clock
            node = child
        if node is not None and not node.children:
            self._note(node)
        return node

    def give_up(self, count: int) -> int:
        """Give up to so many pages back to the pool; only those that no sequence reads. Gives how many."""
        freed, busy = 0, []
        while freed < count and self._leaves:
            used, _, node = heapq.heappop(self._leaves)
            node.noted = False
            if node.children:
                continue
            if node.used != used:
                self._note(node)
            elif self.pool.is_shared(node.page):
                busy.append(node)
            else:
                self._remove(node)
                freed += 1
        for node in busy:  # in use means used now: the next call does not look at them first
            node.used = self._clock
            self._note(node)
        return freed

    def clear(self) -> None:
        """Give up everything that can be."""
        self.give_up(self.pages)

    def move_together(self) -> list[tuple[int, int]]:
        """Its pages become the first ones of the pool, that no sequence reads from; gives what is to be copied, from and to."""
        nodes, pending = list[PrefixNode](), [*self._roots.values()]
        while pending:
            children = pending.pop().children.values()
            nodes += children
            pending += children
        high = [node for node in nodes if node.page >= len(nodes)]
        low = sorted({*range(len(nodes))} - {node.page for node in nodes})
        copies = [(node.page, page) for node, page in zip(high, low, strict=True)]
        for node, page in zip(high, low, strict=True):
            node.page = page
        self.pool.holds_only(range(len(nodes)))
        return copies

    def _remove(self, node: PrefixNode) -> None:
        parent = node.parent
        assert parent is not None
        del parent.children[node.key]
        node.parent, node.states = None, None
        self.pool.release((node.page,))
        self.pages -= 1
        if not parent.children and parent.parent is not None:
            self._note(parent)
        elif not parent.children:
            del self._roots[parent.key[0]]

    def _note(self, node: PrefixNode) -> None:
        """A leaf: it may be given up."""
        if not node.noted:
            node.noted = True
            heapq.heappush(self._leaves, (node.used, id(node), node))
