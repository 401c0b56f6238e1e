"""The checker of JAX's documentation pages: on pages of our own, and on JAX's where `RLX_JAX_DOCS` names their folder."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from tests.parity.compare_outputs import differences
from tests.parity.jax_pages import check, chosen, table
from tests.parity.page_cells import cells_of
from tests.parity.page_worker import Runner, assigned_names, describe

PAGE = """# A page of ours

```{code-cell}
:tags: [x]

import jax
import jax.numpy as jnp
x = jnp.arange(3.0)
%timeit x + 1
```

```{code-cell} ipython3
print(jax.jit(lambda x: x * 2)(x))
key = jax.random.key(0)
noise = jax.random.normal(key, (2, 3))
x.sum()
```

```{code-cell}
raise ValueError("not counted")
```

```{code-cell}
import time
where = jax.__name__
```
"""


def test_a_page_is_run_in_both_and_compared(tmp_path):
    page = tmp_path / "own.md"
    page.write_text(PAGE)
    found = check(page, tmp_path, tmp_path)
    assert (found.cells, found.in_jax, found.here, found.equal) == (4, 3, 3, 2)
    assert found.used["random"] == 2
    assert found.reasons == ["cell 3: where: 'jax' in JAX, 'rlx' here"]
    assert "| own | 4 | 3 | 3 | 2 |" in table([found])


def test_cells_are_read_with_their_options(tmp_path):
    page = tmp_path / "own.md"
    page.write_text(PAGE)
    assert [cell.splitlines()[0] for cell in cells_of(page)][1:3] == [
        "print(jax.jit(lambda x: x * 2)(x))",
        'raise ValueError("not counted")',
    ]
    assert cells_of(page)[0].splitlines()[-1] == "x + 1"


def test_assigned_names_are_those_of_the_top_level():
    import ast

    text = "a, (b, *c) = 1, (2, 3)\nfor d in []: e = 1\ndef f():\n  g = 1\nh += [i for i in []]"
    assert assigned_names(ast.parse(text)) == ["a", "b", "c", "d", "e", "h"]


def cell(**values):
    described = {name: describe(value) for name, value in values.items()}
    return {"values": described, "last": None, "printed": "", "excepts": False}


@pytest.mark.parametrize(
    ("theirs", "ours", "equal"),
    [
        (np.float32([1, 2]), np.float32([1, 2.0001]), True),
        (np.float32([1, 2]), np.float32([1, 2.001]), False),
        (np.float32([1, 2]), np.float32([[1, 2]]), False),
        (np.float32([1, 2]), np.float64([1, 2]), True),
        (np.float32([1, 2]), np.int32([1, 2]), False),
        (np.float32([np.nan]), np.float32([np.nan]), True),
        ({"a": 1, "b": [2.0]}, {"b": [2.0], "a": 1}, True),
        ({"a": 1}, {"a": 2}, False),
        ((1, 2), [1, 2], False),
        (1, True, False),
        (3.0, np.float32(3), False),
        ("text 1.00001", "text 1.00002", True),
        ("text", "texts", False),
    ],
)
def test_values_are_compared(theirs, ours, equal):
    found = differences(cell(x=theirs), cell(x=theirs), cell(x=ours), Counter())
    assert (not found) == equal, found


def test_a_name_that_is_missing_is_a_difference():
    assert differences(cell(x=1), cell(x=1), cell(), Counter()) == ["x is missing"]


def test_what_changes_with_the_seed_is_compared_by_shape():
    used = Counter()
    x, y = np.float32([1, 2]), np.float32([3, 4])
    assert differences(cell(x=x), cell(x=y), cell(x=x + 9), used) == [] and used["random"] == 1
    assert differences(cell(x=x), cell(x=y), cell(x=x[:1]), used) != []


def test_an_error_of_a_cell_is_kept(tmp_path):
    page = tmp_path / "own.md"
    page.write_text("")
    runner = Runner("rlx", str(page))
    assert runner.run(0, "x = 1\nx / 0")["error"].startswith("ZeroDivisionError")
    assert runner.run(1, "x + 1")["last"] == ("python", 2)


@pytest.mark.long
@pytest.mark.skipif("RLX_JAX_DOCS" not in os.environ, reason="RLX_JAX_DOCS names no folder of JAX's documentation")
def test_pages_of_jax(tmp_path):
    folder = Path(os.environ["RLX_JAX_DOCS"])
    pages = [check(page, folder, tmp_path) for page in chosen(folder, every=False)]
    print(table(pages))
    in_jax, equal = sum(page.in_jax for page in pages), sum(page.equal for page in pages)
    assert equal >= 0.95 * in_jax, [f"{page.name} {reason}" for page in pages for reason in page.reasons]
