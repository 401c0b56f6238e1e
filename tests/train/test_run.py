"""Training runs from a configuration: they learn, go on, stop with a reason, and leave what they say they leave."""

import json
import math
import signal
from itertools import pairwise

import numpy as np
import pytest

import rlx
from rlx.core.errors import RlxError
from rlx.formats.safetensors import read_safetensors
from rlx.train.language_model import LlamaShape
from rlx.train.loop import Run, Watcher, draw_losses, run_training
from rlx.train.model_folder import stored_name
from rlx.train.step import read_metrics
from tests.train.runs import config, sentences

SENTENCE_BYTES = len(sentences(4000)) / 4000
ENTROPY = math.log(36) / SENTENCE_BYTES  # nats per byte of the text; nothing predicts it better


def losses(folder):
    return [(line["step"], line["loss"], line["gradient"]) for line in read_metrics(folder / "metrics.jsonl") if "loss" in line]


def weights(path):
    return {name: tensor.array().tobytes() for name, tensor in read_safetensors(path).items()}


class Recorder(Watcher):
    """Notes everything; may do something at a step."""

    def __init__(self, at=None):
        self.steps, self.held, self.files, self.resumed, self.at = [], [], [], None, at or {}

    def prepared(self, run, resumed):
        self.resumed = resumed

    def stepped(self, progress):
        self.steps.append(progress)
        self.at.get(progress.step, lambda: None)()

    def validated(self, found):
        self.held.append(found)

    def saved(self, path):
        self.files.append(path.name)


@pytest.mark.parametrize("vocabulary", ["bytes", "pairs"])
def test_a_small_model_learns_the_grammar(tmp_path, vocabulary):
    """The bar is the entropy of the text with a tenth on top; counting single bytes reaches about 2.7 nats."""
    recorder = Recorder()
    steps = 300 if vocabulary == "bytes" else 200
    settings = config(
        tmp_path,
        training__steps=steps,
        training__batch=8,
        training__length=64,
        model__width=48,
        model__ffn=96,
        model__layers=2,
        model__vocabulary=vocabulary,
        model__vocabulary_size=300,
        optimizer__rate=6e-3,
        schedule__warmup=10,
        validation__every=100,
        validation__rows=0,
        sample__tokens=120,
        sample__prompt="\n",
        sample__temperature=0.5,
        checkpoints__every=0,
        output__plot=True,
    )
    outcome = run_training(settings, recorder)
    first_row = math.log(4) / 64  # a row begins inside of a sentence it has not seen
    assert outcome.validated.nats_per_byte < 1.1 * (ENTROPY + first_row), outcome.validated
    assert outcome.finished and outcome.step == steps and len(recorder.steps) == steps
    assert [found.step for found in recorder.held] == [*range(100, steps, 100), steps]
    written = set(outcome.sample.decode().split("\n")[1:-1])
    known = set(sentences(4000).decode().split("\n"))
    assert len(written) >= 3 and len(written & known) >= 0.8 * len(written), written
    assert (tmp_path / "run" / "loss.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    stored = read_safetensors(tmp_path / "run" / "model.safetensors")
    shape = LlamaShape(**json.loads(rlx.formats.safetensors.read_metadata(tmp_path / "run" / "model.safetensors")["shape"]))
    assert stored.keys() == {stored_name(name) for name in shape.param_dims()}


OPTIONS = {
    "plain": {},
    "accumulated, averaged, scaled": {"training__accumulate": 2, "training__ema": 0.8, "training__loss_scale": 1024.0},
    "pairs, sgd": {"model__vocabulary": "pairs", "model__vocabulary_size": 300, "optimizer__kind": "sgd", "training__seed": 3},
}


@pytest.mark.parametrize("kind", OPTIONS)
def test_a_run_that_was_stopped_goes_on_to_the_bit(tmp_path, kind):
    whole = config(tmp_path / "whole", **OPTIONS[kind])
    run_training(whole)
    parts = config(tmp_path / "parts", **OPTIONS[kind])
    outcome = run_training(parts, Recorder({7: lambda: signal.raise_signal(signal.SIGINT)}))
    assert not outcome.finished and outcome.step == 7 and outcome.checkpoint.name == "step-00000007.safetensors"
    recorder = Recorder()
    outcome = run_training(parts, recorder)
    assert recorder.resumed.step == 7 and recorder.resumed.changed == () and recorder.steps[0].step == 8 and outcome.finished
    assert losses(whole.folder) == losses(parts.folder) and len(losses(whole.folder)) == 12
    assert weights(whole.folder / "model.safetensors") == weights(parts.folder / "model.safetensors")
    again = run_training(parts, recorder)
    assert again.validated == outcome.validated and again.sample == outcome.sample and losses(whole.folder) == losses(parts.folder)


def test_checkpoints_are_kept_and_dropped(tmp_path):
    recorder = Recorder()
    run_training(config(tmp_path, checkpoints__every=3, checkpoints__keep=2, training__steps=11), recorder)
    assert recorder.files == [f"step-{step:08}.safetensors" for step in (3, 6, 9, 11)]
    assert sorted(path.name for path in (tmp_path / "run" / "checkpoints").iterdir()) == recorder.files[-2:]


def test_a_damaged_checkpoint_is_passed_over_and_another_model_refused(tmp_path):
    run_training(config(tmp_path, training__steps=8))
    newest = tmp_path / "run" / "checkpoints" / "step-00000008.safetensors"
    newest.write_bytes(newest.read_bytes()[:-100])
    recorder = Recorder()
    outcome = run_training(config(tmp_path, training__steps=9, optimizer__rate=1e-3), recorder)
    assert recorder.resumed.step == 4 and "step-00000008" in recorder.resumed.damaged[0] and outcome.step == 9
    assert recorder.resumed.changed == ("training.steps: 8 before, 9 now", "optimizer.rate: 0.003 before, 0.001 now")
    with pytest.raises(RlxError, match="--restart"):
        run_training(config(tmp_path, model__width=64))
    run_training(config(tmp_path, model__width=64), recorder, restart=True)
    assert recorder.resumed is None


def test_weights_that_are_not_finite_stop_the_run_and_the_op_is_named(tmp_path, monkeypatch):
    plain = LlamaShape.first_weights

    def poisoned(self, seed):
        found = plain(self, seed)
        found["layers.0.down"][3, 4] = np.inf
        return found

    monkeypatch.setattr(LlamaShape, "first_weights", poisoned)
    with pytest.raises(RlxError) as error:
        run_training(config(tmp_path))
    text = str(error.value)
    assert error.value.code == "RLX510" and text.startswith("[RLX510] step 1: the loss is nan; matmul ")
    assert "layers.0" in text and "/ffn" in text and "layers.0.down had NaN or infinity" in text


@pytest.mark.parametrize("accumulate", [1, 3])
def test_a_run_that_explodes_keeps_the_params_from_before(tmp_path, accumulate):
    settings = {"optimizer__kind": "sgd", "optimizer__rate": 1e30, "training__clip_norm": 0.0, "schedule__shape": "constant"}
    settings |= {"schedule__warmup": 0, "training__accumulate": accumulate, "checkpoints__every": 0}
    run_training(config(tmp_path / "one", training__steps=1, **settings, sample__tokens=0))
    with pytest.raises(RlxError) as error:
        run_training(config(tmp_path / "all", **settings))
    text = str(error.value)
    assert error.value.code == "RLX510" and text.startswith("[RLX510] step 2: ") and "produced NaN or infinity" in text
    kept = tmp_path / "all" / "run" / "checkpoints" / "step-00000001.safetensors"
    assert str(kept) in text
    assert weights(kept) == weights(tmp_path / "one" / "run" / "checkpoints" / "step-00000001.safetensors")


def test_overflow_under_a_loss_scale_is_skipped_and_then_goes_on(tmp_path):
    """In f16 the gradients of 2^24 times the loss are infinite; the scale halves until they are not."""
    run_training(config(tmp_path, training__loss_scale=2.0**24, training__precision="auto_mixed", training__steps=30))
    found = [line for line in read_metrics(tmp_path / "run" / "metrics.jsonl") if "loss" in line]
    assert found[0]["gradient"] is None and found[-1]["gradient"] is not None and found[-1]["loss"] < 0.9 * found[0]["loss"]
    for line, after in pairwise(found):
        assert after["loss_scale"] == line["loss_scale"] / (2 if line["gradient"] is None else 1)


def test_without_matplotlib_it_trains_and_draws_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr("rlx.train.loop.importlib.util.find_spec", lambda name: None)
    outcome = run_training(config(tmp_path, output__plot=True))
    assert outcome.finished and outcome.plot is None and not (tmp_path / "run" / "loss.png").exists()
    with pytest.raises(RlxError, match="pip install matplotlib") as error:
        draw_losses([], tmp_path / "loss.png", "a run")
    assert error.value.code == "RLX803"


def test_averages_are_what_is_validated(tmp_path):
    run = Run(config(tmp_path, training__ema=0.9), Watcher())
    outcome = run.go()
    stored = read_safetensors(tmp_path / "run" / "model.safetensors")
    for name in run.shape.param_dims():
        average = run.training.averaged(name)
        array = stored[stored_name(name)].array()
        np.testing.assert_array_equal(array, average if name == "embedding" else average.T)
    ids, labels = run.corpus.windows(16, 4)
    plain = run.training.session.compile(run.shape.evaluation(16)).run({"ids": ids, "labels": labels.reshape(-1)})["losses"].mean()
    assert abs(float(plain) - outcome.validated.loss) > 1e-4
