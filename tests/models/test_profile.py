"""Compile profiles: what they say is what is compiled; anything else in them is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rlx
from rlx.backends.cpu.run.thread_pool import set_threads, thread_count
from rlx.core.errors import RlxError
from rlx.models import Profile, open_model
from rlx.passes.entry import OPTIONAL, Options
from tests.models.running import PREFILL, close
from tests.models.tiny_models import CONTEXT, logits, reference, save, token_ids

WHOLE = """
fusion = false
store_params = "bf16"
quant_mode = "exact"
skip = ["fold", "cse"]
fold_elements = 100
threads = 1
cache_dtype = "f16"

[precision]
compute = "bf16"
"""


@pytest.fixture(autouse=True)
def threads() -> Iterator[None]:
    yield
    set_threads(None)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save("llama", tmp_path_factory.mktemp("folder"))


def test_every_key_becomes_an_option() -> None:
    options = Options(**Profile.parse(WHOLE).options())
    assert (options.fuse, options.store_params, options.quant_mode, options.skip) == (False, "bf16", "exact", ("fold", "cse"))
    assert options.fold_elements == 100
    assert options.policy.precision_for("compute").dtype.name == "bf16"
    assert options.policy.precision_for("reduction").dtype.name == "f32"
    assert Options(**Profile.parse('fusion = "clean"').options()).assert_fusion_clean
    assert Profile.parse("").options() == {}
    assert Options(**json.loads(json.dumps(asdict(options)))) == options  # as saved executables keep them


def test_a_model_is_run_as_its_profile_says(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "small.rlx.toml"
    path.write_text('cache_dtype = "f16"\nthreads = 1\nskip = ["fuse attention"]\n')
    model = rlx.load_model(folder, profile=path, fold_elements=50)
    assert model.options == {"skip": ("fuse attention",), "fold_elements": 50}
    assert thread_count() == 1
    executable = model.compile(PREFILL)
    assert "fuse attention: left out" in str(executable.report)
    model.session.init_state(batch=1, capacity=CONTEXT)
    assert {entry.shape.dtype.name for entry in model.session.entries.values() if entry.kind == "state"} == {"f16"}
    ids = token_ids(1, 9)
    found = executable(tokens=ids, start=np.zeros(1, np.int32), count=np.array([9], np.int32))[0]
    expected = logits(reference("llama"), ids[0], [9])
    assert np.abs(found - expected).max() > 1e-6  # keys and values were rounded
    close(found, expected, 2e-2)


def test_a_graph_without_the_optional_passes_has_the_same_values(folder: Path) -> None:
    """Nothing but speed depends on them."""
    ids = token_ids(1, 9)
    inputs: dict[str, Any] = {"tokens": ids, "start": np.zeros(1, np.int32), "count": np.array([9], np.int32)}
    model = open_model(folder, profile=Profile(skip=OPTIONAL))
    executable = model.compile(PREFILL)
    model.session.init_state(batch=1, capacity=CONTEXT)
    close(executable(**inputs)[0], logits(reference("llama"), ids[0], [9]))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("quant_mode = 1", ("quant_mode is 1", "fast, exact")),
        ('quant_mod = "fast"', ("'quant_mod'", "did you mean quant_mode?")),
        ("speed = 9", ("'speed'", "one of: fusion, precision")),
        ('fusion = "dirty"', ("fusion", '"clean"')),
        ('precision = "always_f8"', ("precision", "always_f8", "auto_mixed")),
        ('[precision]\ncompute = "f8"', ("precision", "f8")),
        ('skip = ["legalize"]', ("skip", "legalize", "fuse regions")),
        ('skip = "fold"', ("skip", "a list of passes")),
        ("threads = true", ("threads is True", "an integer")),
        ("threads = -1", ("threads is -1",)),
        ('cache_dtype = "q4"', ("cache_dtype", "auto, f32, f16, bf16")),
        ("fusion == true", ("line 1",)),
    ],
)
def test_a_wrong_profile_is_refused(text: str, words: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "wrong.rlx.toml"
    path.write_text(text)
    with pytest.raises(RlxError) as raised:
        Profile.read(path)
    assert raised.value.code == "RLX707"
    assert all(word in str(raised.value) for word in (*words, str(path))), str(raised.value)


def test_a_file_that_is_no_profile_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "fast.toml", tmp_path / "missing.rlx.toml"):
        with pytest.raises(RlxError, match="RLX707"):
            Profile.read(path)


def test_a_pass_that_is_needed_cannot_be_left_out() -> None:
    with pytest.raises(RlxError, match="legalize"):
        Options(skip=("legalize",))


def test_caches_are_f16_where_activations_are_rounded_anyway() -> None:
    """`auto`: fast mode on a file of integers; exact mode keeps f32, and a profile is obeyed."""
    assert open_model("smollm2").cache_dtype == "f16"
    assert open_model("smollm2", options={"quant_mode": "exact"}).cache_dtype == "f32"
    assert open_model("smollm2", profile=Profile(cache_dtype="f32")).cache_dtype == "f32"
