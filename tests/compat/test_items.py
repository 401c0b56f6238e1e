"""Every item of the original has a line in these tests that shows how it is written here."""

from __future__ import annotations

from tests.compat.items import all_items, shown_items


def test_every_item_is_shown_once():
    wanted = {name for names in all_items().values() for name in names}
    assert shown_items().keys() == wanted


def test_the_count_of_items():
    counts = {group: len(names) for group, names in all_items().items()}
    assert counts["GraphModule"] == 51 and counts["GraphStage"] == 3 and counts["Lowerings"] == 2
    assert counts["Graph"] + counts["MultiOutputHandle"] == 20
    assert sum(counts[name] for name in ("Precision", "CastConfig", "OpKind", "PrecisionPolicy", "AutoMixedPrecision", "Op")) == 31
    assert sum(counts.values()) == sum(1 for _ in shown_items())
