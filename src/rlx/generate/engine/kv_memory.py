"""Memory of keys and values: the pages of each sequence, taken from the pool, shared by prefixes, copied before they are written."""

from __future__ import annotations

from rlx.generate.engine.pages import PagePool
from rlx.generate.engine.prefix_tree import PrefixNode, PrefixTree
from rlx.generate.engine.sequence import Sequence
from rlx.models.flow import PAGE


def pages_of(tokens: int) -> int:
    """Pages for so many tokens.

    >>> pages_of(0), pages_of(32), pages_of(33)
    (0, 1, 2)
    """
    return -(-tokens // PAGE)


class KvMemory:
    """Gives sequences their pages, and remembers beginnings; of a recurrent model with the states after up to `most_states` of them.

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
        """All pages are free and nothing is known."""
        self.pool = PagePool(self.pool.count)
        self.tree = PrefixTree(self.pool, PAGE)
        self._with_states, self.copies = {}, []

    def begin(self, sequence: Sequence) -> None:
        """Give a sequence the pages of its beginning that is known; what logits are needed of is computed: the last token, or all."""
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
        if not sequence.ids:  # else it was put back, and computed all of it before
            sequence.reused = computed
        if nodes and self.most_states:
            sequence.states = nodes[-1].states
            self._touch(nodes[-1])

    def count(self, sequence: Sequence) -> None:
        """It was let in: note what was looked up and found."""
        if self.prefix_cache:
            self.asked, self.found = self.asked + len(sequence.tokens), self.found + sequence.computed

    def reach(self, sequence: Sequence, length: int) -> bool:
        """Pages for so many tokens, the one written next being its own; False, and nothing changed, if there are not enough."""
        table, place = sequence.table, sequence.computed // PAGE
        shared = place < len(table) and self.pool.is_shared(table[place])
        wanted = pages_of(length) - len(table) + shared
        if wanted <= 0:
            return True
        pages = self.pool.take(wanted)
        if pages is None:
            self.tree.give_up(wanted - self.pool.free_count)
            pages = self.pool.take(wanted)
        if pages is None:
            return False
        if shared:
            own, old = pages.pop(), table[place]
            self.copies.append((old, own))
            sequence.replace(place, own)
            self.pool.release((old,))
        sequence.hold(pages)
        return True

    def fork(self, source: Sequence, target: Sequence) -> None:
        """The target reads all pages of the source; whoever writes first copies."""
        self.pool.share(source.table)
        target.hold(source.table)
        target.computed, target.reused = source.computed, source.computed
        target.hidden = list(source.hidden)

    def remember(self, sequence: Sequence, *, leaves: bool = False) -> None:
        """What is computed of a sequence becomes a known beginning: whole pages, and the last one too of a sequence that leaves."""
        if self.prefix_cache and not self.most_states:
            length = sequence.computed if leaves else sequence.computed // PAGE * PAGE
            self.tree.insert(sequence.kind, sequence.tokens[:length], sequence.table)

    def remember_states(self, sequence: Sequence) -> None:
        """The same of a recurrent model, with the states at its end: whole pages."""
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
        """All but the ones that were used last."""
        while len(self._with_states) > most:
            oldest = next(iter(self._with_states))
            del self._with_states[oldest]
            oldest.states = None

    def shrink(self, most_pages: int, most_states: int) -> list[tuple[int, int]]:
        """No sequence is there: keep up to so many pages of known beginnings, as the first of the pool, and so many recurrent states. Gives
        what is to be copied."""
        self.copies = []  # nobody is there who reads them
        if self.tree.pages > most_pages:
            self.tree.give_up(self.tree.pages - most_pages)
        self._forget_states(most_states)
        return self.tree.move_together()

    def release(self, sequence: Sequence) -> None:
        """A sequence leaves, or is put back: its pages are free, but for what others read."""
        self.pool.release(sequence.table)
        sequence.forget()
