"""What the page for users of JAX and the hints of `rlx.<name>` say to write is executed."""

from __future__ import annotations

import re
from pathlib import Path

import jax
import jax.numpy
import numpy as np
import pytest

import rlx
import rlx.numpy as rnp
from tests.frontends.signpost_programs import HINTS, ROWS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "coming-from-jax.md"


def rows_of_the_page():
    """The first cell of each row of the page's tables, head rows aside."""
    lines = PAGE.read_text().splitlines()
    bodies = [line for line, before in zip(lines, ["", *lines], strict=False) if line.startswith("| ") and before.startswith("|")]
    return [line.split(" | ")[0].removeprefix("| ") for line in bodies]


def run(program, tmp_path):
    names = {"rlx": rlx, "jnp": rnp, "lax": rlx.lax, "np": np, "f": lambda y: y * 2, "x": rnp.ones(3)}
    exec(compile(program, "<program>", "exec"), {**names, "path": str(tmp_path / "program.rlx")})


def test_each_row_of_the_page_has_its_program():
    assert sorted(rows_of_the_page()) == sorted(ROWS)


@pytest.mark.parametrize("row", ROWS)
def test_rows_of_the_page(row, tmp_path):
    run(ROWS[row], tmp_path)


def test_each_hint_has_its_program():
    assert sorted(rlx._INSTEAD) == sorted(HINTS)


@pytest.mark.parametrize("name", HINTS)
def test_hints(name, tmp_path):
    with pytest.raises(AttributeError) as raised:
        getattr(rlx, name)
    for mentioned in re.findall(r"(?<![\w.])(rlx(?:\.\w+)+)", str(raised.value).split("; use ")[1]):
        assert eval(mentioned, {"rlx": rlx}) is not None
    run(HINTS[name], tmp_path)


def test_names_that_live_elsewhere_are_there():
    """`rlx.sin` names `rlx.numpy.sin`."""
    hints = 0
    for name in [*dir(jax.numpy), *dir(jax.nn), *dir(jax.lax)]:
        if name.startswith("_") or hasattr(rlx, name) or name in rlx._INSTEAD:
            continue
        with pytest.raises(AttributeError) as raised:
            getattr(rlx, name)
        found = re.search(r"; use (rlx\.[\w.]+)$", str(raised.value))
        if found:
            hints += 1
            eval(found[1], {"rlx": rlx})
    assert hints > 300


# -- libraries on top of JAX ----------------------------------------------------------------------------------------
def losses():
    import optax

    yield lambda x: optax.l2_loss(x).sum()
    yield lambda x: optax.softmax_cross_entropy(x, x).sum()

    def step(params):
        adam = optax.adam(1e-3)
        updates, _ = adam.update(params, adam.init(params), params)
        return optax.apply_updates(params, updates).sum()

    yield step


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("transform", [rlx.jit, rlx.grad])
def test_optax_in_a_traced_function_is_named(transform, number):
    loss = list(losses())[number]
    with pytest.raises((rlx.RlxError, TypeError)) as raised:
        transform(loss)(rnp.ones((2, 3)))
    text = "\n".join([str(raised.value), *getattr(raised.value, "__notes__", ())])
    assert "rlx.train.Adam" in text and "optax" in text
    assert "array_constructors.py" not in text  # a file of JAX


@pytest.mark.parametrize("library", ["equinox", "flax"])
def test_other_libraries_are_named(library, tmp_path, monkeypatch):
    """A module of that name stands for the library, which the tests do not install."""
    (tmp_path / f"{library}.py").write_text("import numpy as np\ndef apply(x):\n    return np.asarray(x)\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(__import__("sys").modules, library, raising=False)
    apply = __import__(library).apply
    with pytest.raises(rlx.RlxError, match=f"rlx.nn.Linear; {library} computes") as raised:
        rlx.jit(apply)(rnp.ones(3))
    assert raised.value.location.file == __file__


def test_an_error_outside_of_libraries_has_its_own_fix():
    with pytest.raises(rlx.RlxError) as raised:
        rlx.jit(lambda x: float(x))(rnp.ones(()))
    assert "rlx.debug.print" in str(raised.value) and "rlx.nn.Linear" not in str(raised.value)
