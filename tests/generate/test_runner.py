"""The runner against formulas in NumPy: chunks, steps, ragged batches, going back, growing, full contexts."""

from __future__ import annotations

import numpy as np
import pytest

from rlx.core.errors import RlxError
from rlx.generate import runner as runner_module
from rlx.generate.runner import Runner, common_length
from tests.generate.tiny import CONTEXT, VOCABULARY, attention_logits, attention_model, recurrent_logits, recurrent_model

KINDS = {"attention": (attention_model, attention_logits), "recurrent": (recurrent_model, recurrent_logits)}
EACH = pytest.mark.parametrize("kind", KINDS)


def some_ids(count: int, seed: int = 0) -> list[int]:
    return np.random.default_rng(seed).integers(0, VOCABULARY, count).tolist()


def close(found, wanted):
    np.testing.assert_allclose(found, wanted, atol=2e-3, rtol=1e-4)


@EACH
@pytest.mark.parametrize("chunk", [512, 7, 1])
def test_chunks_then_steps(kind, chunk):
    make, formula = KINDS[kind]
    ids = some_ids(30)
    wanted = formula(ids)
    runner = Runner(make(), chunk=chunk)
    close(runner.prefill([ids[:20]])[0], wanted[19])
    for place in range(20, 30):
        close(runner.decode([ids[place]])[0], wanted[place])
    assert runner.lengths == [30] and runner.tokens == [ids]


@EACH
def test_all_logits(kind):
    make, formula = KINDS[kind]
    ids = some_ids(25)
    runner = Runner(make(), chunk=10)
    close(runner.score([ids[:24]])[0], formula(ids)[:24])
    close(runner.score([ids[24:]])[0], formula(ids)[24:])


@EACH
@pytest.mark.parametrize("chunk", [512, 6])
def test_ragged_batches(kind, chunk):
    make, formula = KINDS[kind]
    rows = [some_ids(count, seed=count) for count in (3, 14, 8)]
    runner = Runner(make(), batch=3, chunk=chunk)
    logits = runner.prefill([row[:-2] for row in rows])
    for row, ids in enumerate(rows):
        close(logits[row], formula(ids)[-3])
    logits = runner.decode([row[-2] for row in rows])
    for row, ids in enumerate(rows):
        close(logits[row], formula(ids)[-2])
    logits = runner.prefill([[], rows[1][-1:], []])
    close(logits[1], formula(rows[1])[-1])
    logits = runner.prefill([rows[0][-1:], [], rows[2][-1:]])  # rows that rested go on where they were
    close(logits[0], formula(rows[0])[-1])
    close(logits[2], formula(rows[2])[-1])


@EACH
def test_a_row_that_ended_does_not_disturb_others(kind):
    make, formula = KINDS[kind]
    ids = some_ids(12)
    runner = Runner(make(), batch=2)
    runner.prefill([ids[:4], ids[:8]])
    for place in range(8, 12):
        logits = runner.decode([0, ids[place]], [False, True])
        close(logits[1], formula(ids)[place])
    runner.truncate(0, 0)
    close(runner.prefill([ids[5:9], []])[0], formula(ids[5:9])[-1])


def test_caches_go_back_by_length():
    ids, other = some_ids(20), some_ids(20, seed=9)
    runner = Runner(attention_model())
    runner.prefill([ids])
    runner.truncate(0, 11)
    close(runner.prefill([other])[0], attention_logits(ids[:11] + other)[-1])


@EACH
def test_snapshots(kind):
    make, formula = KINDS[kind]
    ids = some_ids(20)
    runner = Runner(make())
    runner.prefill([ids[:10]])
    snapshot = runner.snapshot()
    runner.prefill([some_ids(5, seed=3)])
    runner.restore(snapshot)
    assert runner.lengths == [10]
    close(runner.prefill([ids[10:]])[0], formula(ids)[-1])


def test_recurrent_states_do_not_go_back_by_length():
    runner = Runner(recurrent_model())
    ids = some_ids(6)
    runner.prefill([ids])
    with pytest.raises(RlxError, match="4 of 6 tokens: tiny has states that do not go back"):
        runner.truncate(0, 4)
    runner.truncate(0, 0)
    close(runner.prefill([ids[:3]])[0], recurrent_logits(ids[:3])[-1])


def test_a_snapshot_of_tokens_that_are_gone():
    runner = Runner(attention_model())
    runner.prefill([some_ids(8)])
    snapshot = runner.snapshot()
    runner.truncate(0, 3)
    with pytest.raises(RlxError, match="the snapshot has 8 tokens, the caches have kept 3"):
        runner.restore(snapshot)


@EACH
def test_caches_grow(kind, monkeypatch):
    monkeypatch.setattr(runner_module, "_FIRST_CAPACITY", 4)
    make, formula = KINDS[kind]
    ids = some_ids(40)
    runner = Runner(make(), chunk=3)
    runner.prefill([ids[:3]])
    for place in range(3, 40):
        logits = runner.decode([ids[place]])
    close(logits[0], formula(ids)[-1])


@EACH
def test_a_full_context_beside_a_short_row(kind):
    """Padding has no room behind a full row: the short row goes on in steps that fit."""
    make, formula = KINDS[kind]
    full, short = some_ids(CONTEXT), some_ids(9, seed=2)
    runner = Runner(make(), batch=2)
    runner.prefill([full[:-1], []])
    close(runner.prefill([full[-1:], []])[0], formula(full)[-1])
    close(runner.prefill([[], short])[1], formula(short)[-1])
    runner.truncate(0, 0)
    close(runner.prefill([full, short[:1]])[0], formula(full)[-1])


def test_overflow_says_both_numbers():
    runner = Runner(attention_model(), capacity=16)
    with pytest.raises(RlxError, match="17 tokens, the context has room for 16") as raised:
        runner.prefill([some_ids(17)])
    assert raised.value.code == "RLX901" and runner.lengths == [0]
    runner.prefill([some_ids(16)])
    with pytest.raises(RlxError, match="17 tokens, the context has room for 16"):
        runner.decode([1])
    with pytest.raises(RlxError, match=f"a context of 1000 tokens, tiny was trained on {CONTEXT}"):
        Runner(attention_model(), capacity=1000)


def test_wrong_ids_and_rows():
    runner = Runner(attention_model(), batch=2)
    with pytest.raises(RlxError, match="row 1: id 300, the model has ids 0 to 299"):
        runner.prefill([[1], [300]])
    with pytest.raises(RlxError, match="3 rows of tokens in a runner of batch 2"):
        runner.prefill([[1], [1], [1]])
    with pytest.raises(RlxError, match="every row is empty"):
        runner.prefill([[], []])


@EACH
def test_an_interrupted_run_leaves_no_trace(kind, monkeypatch):
    """Ctrl-C arrives after the native call, before the tokens are noted."""
    make, formula = KINDS[kind]
    ids = some_ids(10)
    runner = Runner(make())
    runner.prefill([ids[:5]])

    def interrupted(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Runner, "_keep", interrupted)
        with pytest.raises(KeyboardInterrupt):
            runner.decode([7])
    kept = runner.lengths[0]
    assert kept == (5 if kind == "attention" else 0)
    close(runner.prefill([ids[kept:]])[0], formula(ids)[-1])


def test_hidden_goes_along(monkeypatch):
    monkeypatch.setattr(runner_module, "_FIRST_CAPACITY", 4)
    ids = some_ids(12)
    runner = Runner(attention_model(), hidden=True, chunk=5)
    runner.prefill([ids[:9]])
    runner.decode([ids[9]])
    runner.truncate(0, 8)
    runner.score([ids[8:]])
    hidden = runner.hidden[0]
    assert hidden.shape == (12, 16)
    close(hidden @ attention_model().source.weights["output"].load().T, attention_logits(ids))


def test_longer_texts_compile_nothing_anew():
    model = attention_model()
    compiled = []
    original = model.compile
    model.compile = lambda shapes: compiled.append(shapes) or original(shapes)  # type: ignore[method-assign]
    runner = Runner(model)
    for count in (1, 2, 17, 30):
        runner.prefill([some_ids(count)])
        runner.decode([3])
    assert len(compiled) == 2


def test_common_length():
    assert common_length([1, 2, 3], [1, 2, 4, 5]) == 2
    assert common_length([], [1]) == 0 and common_length([1], [1, 2]) == 1
