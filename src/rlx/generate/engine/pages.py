"""The pool of pages: who holds which, and which are free."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class PagePool:
    """Pages by number, with a count of their readers. A page is free when nobody reads it.

    >>> pool = PagePool(4)
    >>> pages = pool.take(3)
    >>> pages, pool.free_count
    ([0, 1, 2], 1)
    >>> pool.share(pages[:1]); pool.release(pages); pool.free_count
    3
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._free = list(range(count - 1, -1, -1))  # the last one released is the next one taken: it is still in a cache
        self._readers = [0] * count

    @property
    def free_count(self) -> int:
        """Pages that nobody holds."""
        return len(self._free)

    def take(self, count: int) -> list[int] | None:
        """So many free pages, held once each; None, and nothing taken, if there are not enough."""
        if count > len(self._free):
            return None
        found = [self._free.pop() for _ in range(count)]
        for page in found:
            self._readers[page] = 1
        return found

    def share(self, pages: Iterable[int]) -> None:
        """One more reader of each."""
        for page in pages:
            self._readers[page] += 1

    def release(self, pages: Iterable[int]) -> None:
        """One reader less of each."""
        for page in pages:
            self._readers[page] -= 1
            if not self._readers[page]:
                self._free.append(page)

    def holds_only(self, pages: Sequence[int]) -> None:
        """Each of these has one reader, and all others are free; the first ones are taken first."""
        self._readers = [0] * self.count
        for page in pages:
            self._readers[page] = 1
        self._free = [page for page in range(self.count - 1, -1, -1) if not self._readers[page]]

    def is_shared(self, page: int) -> bool:
        """Whether it has several readers: it is copied before it is written."""
        return self._readers[page] > 1
