"""Memory of keys and values: the pages of each sequence, taken from the pool, shared by prefixes, copied before they are written.

The prefix cache is a tree whose edges are pages full of tokens, so that prompts with a common prefix share its pages. A node is the text
from the root to it. It holds its page, and for a recurrent model the states after its last token, where they were saved. The end of a
text may fill a part of a page; a prompt that continues differently reads the common part of one. Nodes that no sequence reads are
evicted one by one when pages run out, the least recently used first, ends before beginnings.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Hashable, Iterable
from collections.abc import Sequence as Rows
from dataclasses import dataclass, field
from typing import Any

from rlx.generate.engine.sequence import Sequence
from rlx.generate.runner import common_length
from rlx.models.flow import PAGE


class PagePool:
    """KV page numbers with their reference counts. A page is free when its count is 0.

    >>> pool = PagePool(4)
    >>> pages = pool.take(3)
    >>> pages, pool.free_count
    ([0, 1, 2], 1)
    >>> pool.share(pages[:1]); pool.release(pages); pool.free_count
    3
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._free = list(range(count - 1, -1, -1))  # LIFO: the page released last is still in a CPU cache
        self._readers = [0] * count

    @property
    def free_count(self) -> int:
        """The number of free pages."""
        return len(self._free)

    def take(self, count: int) -> list[int] | None:
        """Allocates free pages, with a reference count of 1; None, without taking any, if there are not enough."""
        if count > len(self._free):
            return None
        pages = [self._free.pop() for _ in range(count)]
        for page in pages:
            self._readers[page] = 1
        return pages

    def share(self, pages: Iterable[int]) -> None:
        """Increments the reference count of each page."""
        for page in pages:
            self._readers[page] += 1

    def release(self, pages: Iterable[int]) -> None:
        """Decrements the reference count of each page."""
        for page in pages:
            self._readers[page] -= 1
            if not self._readers[page]:
                self._free.append(page)

    def holds_only(self, pages: Rows[int]) -> None:
        """Sets the reference count of these pages to 1 and frees all others; the first pages are allocated first."""
        self._readers = [0] * self.count
        for page in pages:
            self._readers[page] = 1
        self._free = [page for page in range(self.count - 1, -1, -1) if not self._readers[page]]

    def is_shared(self, page: int) -> bool:
        """Returns whether a page has several readers: it is copied before it is written."""
        return self._readers[page] > 1


# -- the prefix cache ------------------------------------------------------------------------------------------------
_LOOKED_AT = 64
"""How many of the latest pages are compared token by token with the rest of a prompt."""


@dataclass(eq=False)
class PrefixNode:
    """A node of the prefix tree: a page of a cached prefix."""

    key: tuple[Hashable, ...]
    page: int
    parent: PrefixNode | None
    children: dict[tuple[Hashable, ...], PrefixNode] = field(default_factory=dict)
    used: int = 0  # when it was last part of a prompt
    noted: bool = False  # whether the tree's heap of leaves has it
    states: dict[str, Any] | None = None  # recurrent states after its last token


class PrefixTree:
    """Prefix cache: a tree of cached prefixes, in pages of `size` tokens.

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

    def partial(self, kind: Hashable, nodes: Rows[PrefixNode], tokens: Rows[int]) -> tuple[int, int]:
        """Finds the cached page after `nodes` that shares the most tokens with the rest of a prompt; returns it and how many."""
        last = nodes[-1] if nodes else self._roots.get(kind)
        rest = tuple(tokens[len(nodes) * self.size :][: self.size])
        best, page = 0, -1
        for child in itertools.islice(reversed(last.children.values()), _LOOKED_AT) if last is not None else ():
            if child.key[:1] == rest[:1]:
                same = common_length(child.key, rest)
                if same > best:
                    best, page, child.used = same, child.page, self._clock
        return page, best

    def match(self, kind: Hashable, tokens: Rows[int], *, with_states: bool = False) -> list[PrefixNode]:
        """Finds the nodes of the longest cached prefix, in order; with states: up to the last node that has them."""
        node, nodes, longest = self._roots.get(kind), [], 0
        self._clock += 1
        for start in range(0, len(tokens) - self.size + 1, self.size):
            node = node and node.children.get(tuple(tokens[start : start + self.size]))
            if node is None:
                break
            node.used = self._clock
            nodes.append(node)
            longest = len(nodes) if node.states is not None or not with_states else longest
        return nodes[:longest]

    def insert(self, kind: Hashable, tokens: Rows[int], pages: Rows[int]) -> PrefixNode | None:
        """Caches a prefix and returns its last node. Pages that the tree already has stay there. The last page may be partial:
        no sequence may write to it any more."""
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
        """Evicts at most so many cached pages that no sequence reads; returns how many."""
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
        """Evicts all cached pages that no sequence reads."""
        self.give_up(self.pages)

    def move_together(self) -> list[tuple[int, int]]:
        """Moves the tree's pages, which no sequence reads, to the start of the pool; returns the copies (from, to) to make."""
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
        """Pushes a leaf that may be evicted to the heap."""
        if not node.noted:
            node.noted = True
            heapq.heappush(self._leaves, (node.used, id(node), node))


# -- the pages of sequences ------------------------------------------------------------------------------------------
def pages_of(tokens: int) -> int:
    """Returns the number of pages that hold so many tokens.

    >>> pages_of(0), pages_of(32), pages_of(33)
    (0, 1, 2)
    """
    return -(-tokens // PAGE)


class KvMemory:
    """Assigns pages to sequences, and caches prefixes; for a recurrent model with the states after up to `most_states` of them.

    `copies` are pages to be copied before the next run.
    """

    def __init__(self, pages: int, *, prefix_cache: bool = True, most_states: int = 0) -> None:
        self.pool = PagePool(pages)
        self.tree = PrefixTree(self.pool, PAGE)
        self.prefix_cache, self.most_states = prefix_cache, most_states
        self._with_states: dict[PrefixNode, None] = {}  # the least recently used first
        self.copies: list[tuple[int, int]] = []  # from, to
        self.asked = self.found = 0  # prompt tokens looked up in the prefix cache, and found there

    def clear(self) -> None:
        """Frees all pages and drops all cached prefixes."""
        self.pool = PagePool(self.pool.count)
        self.tree = PrefixTree(self.pool, PAGE)
        self._with_states, self.copies = {}, []

    def begin(self, sequence: Sequence) -> None:
        """Assigns a sequence the pages of its cached prefix. Tokens whose logits are needed are computed: the last one, or all."""
        if not self.prefix_cache:
            return
        known = sequence.tokens[: (len(sequence.scored) if sequence.scores else len(sequence.tokens)) - 1]
        nodes = self.tree.match(sequence.kind, known, with_states=self.most_states > 0)
        pages, computed = [node.page for node in nodes], len(nodes) * PAGE
        if not self.most_states:
            page, same = self.tree.partial(sequence.kind, nodes, known)
            pages, computed = [*pages, page] if same else pages, computed + same
        self.pool.share(pages)
        sequence.hold(pages)
        sequence.computed = computed
        if not sequence.ids:  # else it was preempted, and had computed all of it before
            sequence.reused = computed
        if nodes and self.most_states:
            sequence.states = nodes[-1].states
            self._touch(nodes[-1])

    def count(self, sequence: Sequence) -> None:
        """Counts the prefix cache lookup of a sequence that starts to run."""
        if self.prefix_cache:
            self.asked, self.found = self.asked + len(sequence.tokens), self.found + sequence.computed

    def reach(self, sequence: Sequence, length: int) -> bool:
        """Reserves pages for so many tokens, and copies a shared page before a write; False, without a change, if pages lack."""
        table, index = sequence.table, sequence.computed // PAGE
        shared = index < len(table) and self.pool.is_shared(table[index])
        missing = pages_of(length) - len(table) + shared
        if missing <= 0:
            return True
        pages = self.pool.take(missing)
        if pages is None:
            self.tree.give_up(missing - self.pool.free_count)
            pages = self.pool.take(missing)
        if pages is None:
            return False
        if shared:
            own, old = pages.pop(), table[index]
            self.copies.append((old, own))
            sequence.replace(index, own)
            self.pool.release((old,))
        sequence.hold(pages)
        return True

    def fork(self, source: Sequence, target: Sequence) -> None:
        """Shares all pages of the source with the target; the first to write copies."""
        self.pool.share(source.table)
        target.hold(source.table)
        target.computed, target.reused = source.computed, source.computed
        target.hidden = list(source.hidden)

    def remember(self, sequence: Sequence, *, leaves: bool = False) -> None:
        """Caches the computed pages of a sequence: full ones, and the last one too of a sequence that leaves."""
        if self.prefix_cache and not self.most_states:
            length = sequence.computed if leaves else sequence.computed // PAGE * PAGE
            self.tree.insert(sequence.kind, sequence.tokens[:length], sequence.table)

    def remember_states(self, sequence: Sequence) -> None:
        """Caches full pages of a recurrent model's sequence, with the recurrent states at their end."""
        if not self.prefix_cache:
            return
        node = self.tree.insert(sequence.kind, sequence.tokens[: sequence.computed], sequence.table)
        if node is not None:
            node.states = sequence.states
            self._touch(node)

    def _touch(self, node: PrefixNode) -> None:
        self._with_states.pop(node, None)
        self._with_states[node] = None
        self._forget_states(self.most_states)

    def _forget_states(self, most: int) -> None:
        """Drops the least recently used recurrent states."""
        while len(self._with_states) > most:
            oldest = next(iter(self._with_states))
            del self._with_states[oldest]
            oldest.states = None

    def shrink(self, most_pages: int, most_states: int) -> list[tuple[int, int]]:
        """Evicts cached prefixes while no sequence runs: at most so many pages stay, at the start of the pool, and so many
        recurrent states. Returns the page copies to make."""
        self.copies = []  # no sequence reads them
        if self.tree.pages > most_pages:
            self.tree.give_up(self.tree.pages - most_pages)
        self._forget_states(most_states)
        return self.tree.move_together()

    def release(self, sequence: Sequence) -> None:
        """Releases the pages of a sequence that leaves or is preempted; others may still read them."""
        self.pool.release(sequence.table)
        sequence.forget()
