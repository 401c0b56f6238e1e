"""A model and one that drafts for it, by construction. Packed models give a token the same bits alone and among others."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bench.models import gguf_files
from rlx.formats.gguf import read_gguf
from rlx.generate import Engine, ModelDrafter
from rlx.generate.drafters import MOST
from rlx.generate.runner import Runner
from rlx.models.model import open_model

pytestmark = pytest.mark.usefixtures("_folder")
MIXTURES = pytest.mark.parametrize("mixture", ["Q4_K_M", "Q8_0", "Q4_0"])
PROMPT = np.random.default_rng(1).integers(3, 320, 70).tolist()  # keys of a second block of attention among them


@pytest.fixture
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gguf_files, "FOLDER", tmp_path)
    monkeypatch.setitem(gguf_files.SIZES, "tiny", gguf_files.Size("tiny", 256, 4, 4, 2, 512, vocab=320))


@MIXTURES
def test_the_draft_is_the_first_layers(mixture: str) -> None:
    target, draft = (read_gguf(path) for path in gguf_files.draft_pair("tiny", mixture, 2, 0.25))
    for name, tensor in draft.tensors.items():
        np.testing.assert_array_equal(tensor.raw(), target.tensors[name].raw())
    assert len(target.tensors) - len(draft.tensors) == 2 * 9


def test_what_the_other_layers_add_is_scaled() -> None:
    scaled, _ = (read_gguf(path) for path in gguf_files.draft_pair("tiny", "F16", 1, 0.25))
    whole = read_gguf(gguf_files.model_file("tiny", "F16"))
    for name in ("attn_output", "ffn_down", "ffn_up"):
        factor = 1.0 if name == "ffn_up" else 0.25
        numbers = [file.tensors[f"blk.3.{name}.weight"].array().astype(np.float64) for file in (whole, scaled)]
        np.testing.assert_allclose(numbers[1], numbers[0] * factor, rtol=1e-3, atol=1e-7)


@MIXTURES
def test_judged_tokens_get_the_bits_they_get_alone(mixture: str) -> None:
    """Else a greedy text would depend on what was drafted."""
    runner = Runner(open_model(gguf_files.model_file("tiny", mixture)), capacity=128)
    runner.prefill([PROMPT[:60]])
    alone = np.concatenate([runner.decode([token]) for token in PROMPT[60:]])
    for count in range(2, MOST + 2):
        runner.truncate(0, 60)
        together = [runner.score([PROMPT[at : at + count]])[0] for at in range(60, 70, count)]
        np.testing.assert_array_equal(np.concatenate(together), alone)


@MIXTURES
def test_greedy_speculation_gives_the_same_tokens(mixture: str) -> None:
    target, draft = (open_model(path) for path in gguf_files.draft_pair("tiny", mixture, 1, 0.1))
    engine = Engine(target, context=256)
    engine.generate(PROMPT, max_tokens=1)  # the prompt is in the cache for both
    plain = engine.generate(PROMPT, temperature=0.0, max_tokens=60, ignore_eos=True)
    for tokens in (None, 3, MOST):
        drafter = ModelDrafter(draft, target, capacity=256)
        found = Engine(target, context=256, draft=drafter, draft_tokens=tokens).generate(
            PROMPT, temperature=0.0, max_tokens=60, ignore_eos=True
        )
        assert found.ids == plain.ids
    assert 0 < found.speculation.accepted < found.speculation.drafted
