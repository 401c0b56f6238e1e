"""The ratchet of `make lint`: what it counts, and that its limits only fall."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import house_metrics  # noqa: E402


def sources(root: Path, **files: str) -> house_metrics.Sources:
    """A package of these files: `a__b_py` is `a/b.py`."""
    for name, text in files.items():
        stem, _, suffix = name.replace("__", "/").rpartition("_")
        path = root / "src" / "rlx" / f"{stem}.{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return house_metrics.Sources(root)


def test_a_table_in_another_format_counts_as_lines(tmp_path):
    read = sources(tmp_path, a_py="x = 1\n", a_pyi="x: int\n", table_json="[" + "1," * 1000 + "1]", page_html="<p>\n" * 900)
    assert read.count_files() == 4
    assert read.count_lines() == 1 + 1 + -(-2003 // house_metrics.COLUMNS) + 900
    assert read.long_files() == ["page.html 900"]


def test_cycles_are_imports_that_importing_executes(tmp_path):
    read = sources(
        tmp_path,
        a_py="import rlx.b\nfrom rlx import c\n",
        b_py="from rlx.a import x\nimport rlx.d\n",
        c_py="from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import rlx.a\ndef f():\n    import rlx.a\n",
        d_py="",
    )
    assert read.import_cycles() == ["rlx.a -> rlx.b", "rlx.b -> rlx.a"]
    assert read.inner_imports() == ["c.py:5"]


def test_small_files_with_one_neighbour(tmp_path):
    read = sources(tmp_path, a__x_py="from rlx.a.y import f\nfrom rlx.b.z import g\n", a__y_py="f = 1\n", b__z_py="g = 1\n")
    assert read.one_neighbour() == ["a/y.py (1) <- x.py (2)"]


def test_functions_are_measured_at_any_depth(tmp_path):
    branches = "".join(f"        if x == {n}:\n            return {n}\n" for n in range(26))
    read = sources(
        tmp_path, a_py=f"class A:\n    def choose(self, x):\n{branches}\n\ndef _once():\n    return 1\n\n\nONE = _once()\n"
    )
    assert read.long_functions() == ["a.py:2 choose 53"]
    assert read.complex_functions(25) == ["27 a.py:2 choose"]
    assert read.used_once() == ["a.py:57 _once 2"]


@pytest.fixture
def limits(tmp_path):
    """A package of one line, and a table whose limits it meets."""
    read = sources(tmp_path, a_py="x = 1\n")
    path = tmp_path / house_metrics.LIMITS
    path.parent.mkdir()
    path.write_text("# comment\n" + "".join(house_metrics.format_row(name, 10_000, 0) + "\n" for name in read.measure()))
    return path


def test_a_number_above_its_limit_fails_and_limits_only_fall(limits, capsys):
    root = str(limits.parent.parent)
    assert house_metrics.main([root, "--check"]) == 0
    assert house_metrics.main([root, "--lower"]) == 0
    comments, rows = house_metrics.read_limits(limits)
    assert comments == ["# comment"] and rows["lines"] == house_metrics.Row(1, 0) and rows["files"] == house_metrics.Row(1, 0)
    sources(Path(root), b_py="y = 1\n")
    assert house_metrics.main([root, "--lower"]) == 0
    assert house_metrics.read_limits(limits)[1] == rows
    capsys.readouterr()
    assert house_metrics.main([root, "--check"]) == 1
    assert capsys.readouterr().out.startswith("lines: 2, the limit is 1")
