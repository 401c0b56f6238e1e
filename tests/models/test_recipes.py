"""Models by their recipes: a graph whose code is in the cache is not built, and everything it depends on is in its name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("transformers")
torch = pytest.importorskip("torch")

from rlx.core.dim import Dim  # noqa: E402
from rlx.models import Shapes, flow, open_model  # noqa: E402
from tests.generate.tiny import attention_model  # noqa: E402
from tests.models.running import DECODE, PREFILL, Running  # noqa: E402
from tests.models.tiny_models import reference, save, token_ids  # noqa: E402


def name_of(folder: Path, shapes: Shapes = DECODE, **options: Any) -> str:
    recipe = open_model(folder, options=options).recipe(shapes)
    assert recipe is not None
    return recipe.name


@pytest.mark.parametrize("name", ["llama", "qwen2 windows", "gemma3", "phi3"])
def test_from_the_cache_no_graph_is_built(name: str, tmp_path: Path, cache_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = save(name, tmp_path / "model")
    first = Running.of(reference(name), folder)
    monkeypatch.setattr(flow.Flow, "__init__", lambda *_: pytest.fail("a graph is built"))
    again = Running.of(reference(name), folder)
    ids, found = token_ids(2, 7), []
    for running in (first, again):
        running.fresh(2)
        found.append(running.feed(running.prefill, ids, [0, 0], [7, 5]))
        found.append(running.feed(running.decode, ids[:, :1], [7, 5], [1, 1]))
    np.testing.assert_array_equal(found[0], found[2])
    np.testing.assert_array_equal(found[1], found[3])


def test_whatever_changes_the_graph_changes_the_name(tmp_path: Path) -> None:
    folder = save("llama", tmp_path / "model")
    names = {name_of(folder)}
    assert names == {name_of(folder)}
    bounds = [
        Shapes.prefill(16),
        Shapes.prefill(32),
        Shapes.prefill(32, 64),
        Shapes(batch=Dim("batch"), seq=1),
        Shapes.decode(hidden=True),
    ]
    names |= {name_of(folder, shapes) for shapes in (PREFILL, *bounds, Shapes.decode(cache_dtype="f16"))}
    names.add(name_of(save("llama", tmp_path / "half", torch.float16)))
    path = folder / "config.json"
    settings = json.loads(path.read_text())
    for changes in ({"rms_norm_eps": 1e-4}, {"rope_parameters": {**settings["rope_parameters"], "factor": 8.0}}):
        path.write_text(json.dumps({**settings, **changes}))
        names.add(name_of(folder))
    assert len(names) == 11


def test_a_family_of_others_is_always_built() -> None:
    """Its code may change, and the cache would not see it."""
    assert attention_model().recipe(Shapes.decode()) is None
