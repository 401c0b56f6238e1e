"""Pages: who holds which, what of a prompt is known, and what is given up first."""

from __future__ import annotations

import random

import pytest

from rlx.generate.engine.kv_memory import PagePool, PrefixTree


def test_pages_are_taken_all_or_none():
    pool = PagePool(3)
    assert pool.take(4) is None
    assert pool.free_count == 3
    assert sorted(pool.take(3) or []) == [0, 1, 2]
    assert pool.take(1) is None


def test_a_shared_page_is_free_when_its_last_reader_leaves():
    pool = PagePool(2)
    pages = pool.take(1)
    assert pages is not None
    pool.share(pages)
    assert pool.is_shared(pages[0])
    pool.release(pages)
    assert not pool.is_shared(pages[0])
    assert pool.free_count == 1
    pool.release(pages)
    assert pool.free_count == 2


def tree_of(count: int, size: int = 2) -> PrefixTree:
    return PrefixTree(PagePool(count), size)


def known(tree: PrefixTree, tokens: list[int], kind: object = ()) -> int:
    return len(tree.match(kind, tokens))  # type: ignore[arg-type]


def insert(tree: PrefixTree, tokens: list[int], kind: object = ()) -> list[int]:
    """As a sequence does that computed all of it and leaves."""
    pages = tree.pool.take(-(-len(tokens) // tree.size))
    assert pages is not None
    tree.insert(kind, tokens, pages)  # type: ignore[arg-type]
    tree.pool.release(pages)
    return pages


def test_whole_pages_are_matched_and_parts_compared():
    tree = tree_of(8)
    pages = insert(tree, [1, 2, 3, 4, 5])
    assert tree.pages == 3
    assert tree.pool.free_count == 5
    assert known(tree, [1, 2, 3, 4, 5, 6]) == 2
    assert known(tree, [1, 2, 3]) == 1
    assert known(tree, [1, 3, 3, 4]) == 0
    assert tree.partial((), tree.match((), [1, 2, 3, 4]), [1, 2, 3, 4, 5, 6]) == (pages[2], 1)
    assert tree.partial((), tree.match((), [1, 2]), [1, 2, 3, 9]) == (pages[1], 1)
    assert tree.partial((), [], [9, 9]) == (-1, 0)


def test_a_beginning_of_another_kind_is_not_known():
    tree = tree_of(8)
    insert(tree, [1, 2, 3, 4], kind="short")
    assert known(tree, [1, 2, 3, 4], kind="long") == 0
    assert known(tree, [1, 2, 3, 4], kind="short") == 2


def test_the_pages_of_the_tree_stay_where_a_text_comes_again():
    tree = tree_of(8)
    first = insert(tree, [1, 2, 3, 4])
    insert(tree, [1, 2, 3, 4, 5, 6])
    assert [node.page for node in tree.match((), [1, 2, 3, 4, 5, 6])][:2] == first
    assert tree.pool.free_count == 5


def test_ends_go_before_beginnings_and_the_least_recently_used_first():
    tree = tree_of(6)
    insert(tree, [1, 1, 2, 2])
    insert(tree, [1, 1, 3, 3])
    insert(tree, [4, 4])
    known(tree, [1, 1, 2, 2])
    assert tree.give_up(1) == 1
    assert known(tree, [1, 1, 3, 3]) == 1, "the end used longest ago"
    assert tree.give_up(1) == 1
    assert known(tree, [4, 4]) == 0
    assert known(tree, [1, 1, 2, 2]) == 2
    assert tree.give_up(5) == 2
    assert tree.pool.free_count == 6


def test_a_page_that_a_sequence_reads_is_not_given_up():
    tree = tree_of(4)
    insert(tree, [1, 1, 2, 2])
    held = [node.page for node in tree.match((), [1, 1])]
    tree.pool.share(held)
    assert tree.give_up(4) == 1
    assert known(tree, [1, 1]) == 1
    tree.pool.release(held)
    assert tree.give_up(4) == 1
    assert tree.pool.free_count == 4


def test_a_match_with_states_ends_at_the_last_node_that_has_them():
    tree = tree_of(8)
    insert(tree, [1, 1, 2, 2, 3, 3])
    tree.match((), [1, 1, 2, 2])[-1].states = {"s": 1}
    assert len(tree.match((), [1, 1, 2, 2, 3, 3], with_states=True)) == 2
    assert tree.match((), [1, 1], with_states=True) == []


@pytest.mark.parametrize("seed", range(5))
def test_random_texts_are_found_as_far_as_a_dictionary_finds_them(seed: int):
    chance, tree, kept = random.Random(seed), tree_of(400, 3), set()
    for _ in range(60):
        text = [chance.randrange(2) for _ in range(chance.randrange(1, 15))]
        insert(tree, text)
        kept |= {tuple(text[:end]) for end in (*range(3, len(text) + 1, 3), len(text))}
        asked = [chance.randrange(2) for _ in range(chance.randrange(1, 15))]
        wanted = 0
        while 3 * wanted + 3 <= len(asked) and tuple(asked[: 3 * wanted + 3]) in kept:
            wanted += 1
        assert known(tree, asked) == wanted
    assert tree.pages == len(kept)
    tree.give_up(len(kept))
    assert tree.pool.free_count == 400


def test_the_heap_of_leaves_has_each_of_them_once() -> None:
    chance, tree = random.Random(3), tree_of(60, 2)
    held: list[list[int]] = []
    for _ in range(3000):
        text = [chance.randrange(2) for _ in range(chance.randrange(1, 12))]
        while (pages := tree.pool.take(-(-len(text) // 2))) is None:
            if not tree.give_up(chance.randrange(1, 4)):
                tree.pool.release(held.pop(chance.randrange(len(held))))
        nodes = tree.match((), text)
        shared = [node.page for node in nodes]
        tree.pool.share(shared)
        tree.insert((), text, [*shared, *pages[len(shared) :]])
        tree.pool.release(pages[: len(shared)])
        held.append([*shared, *pages[len(shared) :]])
        if len(held) > 6:
            tree.pool.release(held.pop(chance.randrange(len(held))))
        assert len(tree._leaves) == len({id(node) for *_, node in tree._leaves}) <= tree.pages
    for pages in held:
        tree.pool.release(pages)
    tree.clear()
    assert tree.pool.free_count == 60 and tree.pages == 0


def test_giving_up_looks_at_few_leaves_whoever_is_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    tree, looked = tree_of(20_000), []
    for number in range(5000):
        pages = tree.pool.take(2)
        assert pages is not None
        tree.insert((), [number % 200, number // 200, 1, 2], pages)
        if number >= 64:  # the oldest are read by sequences
            tree.pool.release(pages)
    original = tree.pool.is_shared
    monkeypatch.setattr(tree.pool, "is_shared", lambda page: (looked.append(page), original(page))[1])
    for _ in range(50):
        assert tree.give_up(1) == 1
    assert len(looked) < 64 + 2 * 50
