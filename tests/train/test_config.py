"""The configuration: every key, and for what does not fit the line, both facts and what is allowed."""

from dataclasses import MISSING, fields
from pathlib import Path

import pytest

from rlx.core.errors import RlxError
from rlx.train import SGD, Adam, AdamW, Lion
from rlx.train.config import TrainingConfig, sections

DATA = '[data]\npaths = "book.txt"\n'


def test_defaults_and_every_key():
    config = TrainingConfig.parse(DATA)
    assert (
        config.data.paths == ("book.txt",)
        and config.model.vocabulary == "pairs"
        and config.checkpoint_folder == Path("run/checkpoints")
    )
    lines, wanted = [], {}
    for name, kind in sections().items():
        lines.append(f"[{name}]")
        for key in fields(kind):
            value = "a.txt" if key.default is MISSING else key.default
            if name == "optimizer" and key.metadata["only"] == ("sgd",):
                continue
            value = key.metadata["one_of"][-1] if key.metadata["one_of"] and key.name != "kind" else value
            text = str(value).lower() if isinstance(value, bool) else repr(value).replace("'", '"')
            lines.append(f"{key.name} = {text}")
            wanted[name, key.name] = (value,) if key.name == "paths" else value
    config = TrainingConfig.parse("\n".join(lines))
    for (name, key), value in wanted.items():
        assert getattr(getattr(config, name), key) == value, (name, key)
    assert set(config.flat()) >= {f"{name}.{key}" for name, key in wanted}


def test_paths_are_relative_to_the_file(tmp_path):
    (tmp_path / "run.toml").write_text('[data]\npaths = ["a.txt", "b"]\n[output]\nfolder = "out"\n[checkpoints]\nfolder = "c"\n')
    config = TrainingConfig.load(tmp_path / "run.toml")
    assert config.folder == tmp_path / "out" and config.checkpoint_folder == tmp_path / "c" and config.data.paths == ("a.txt", "b")


WRONG = {
    '[data]\npaths = "a"\n\n[model]\nlayer = 2': ("line 5", "[model] has no key 'layer'", "layers, width", "did you mean layers?"),
    "[dtaa]": ("line 1", "unknown section [dtaa]", "data, model, training", "did you mean data?"),
    '[data]\npaths = "a"\n[model]\nlayers = 2.5': ("line 4", "layers in [model] is 2.5", "an integer"),
    '[data]\npaths = "a"\n[model]\nlayers = true': ("line 4", "is True", "an integer"),
    '[data]\npaths = "a"\n[model]\nlayers = 0': ("line 4", "layers in [model] is 0", "at least 1"),
    '[data]\npaths = "a"\nvalidation = 1': ("line 3", "validation in [data] is 1.0", "below 1"),
    "[data]\npaths = [1]": ("line 2", "paths in [data]", "list of texts"),
    "[data]\npaths = []": ("line 2", "paths in [data]", "list of texts"),
    "[data]\nvalidation = 0.1": ("line 1", "[data] has no paths", "paths = "),
    "[model]\nlayers = 1": ("[data] has no paths",),
    DATA + '[optimizer]\nkind = "adagrad"': ("line 4", "'adagrad'", "sgd, adam, adamw, lion"),
    DATA + '[optimizer]\nkind = "sgd"\nbeta1 = 0.5': ("line 5", "beta1 with kind 'sgd'", "adam, adamw, lion"),
    DATA + "[optimizer]\nmomentum = 0.5": ("line 4", "momentum with kind 'adamw'", "only sgd"),
    DATA + "[optimizer]\nrate = nan": ("line 4", "rate in [optimizer] is nan", "a number"),
    DATA + '[optimizer]\nrate = "1"': ("line 4", "rate in [optimizer] is '1'", "a number"),
    DATA + "[model]\nheads = 7": ("line 3", "width 256 with 7 heads", "multiple of 14"),
    DATA + "[model]\nkv_heads = 3": ("8 heads with 3 kv_heads", "kv_heads must divide"),
    DATA + "[training]\nsteps = 10\n[schedule]\nwarmup = 10": (
        "line 6",
        "10 steps, 10 of them warm-up",
        "steps must be more than warmup",
    ),
    'model.layers = -1\n[data]\npaths = "a"': ("line 1", "layers in [model] is -1"),
    "data = 3": ("line 1", "data is 3", "[data] on its own line"),
    "[data": ("is not TOML", "at end of document"),
    DATA + "[output]\nplot = 1": ("line 4", "plot in [output] is 1", "true or false"),
    DATA + '[training]\nprecision = "f8"': ("line 4", "'f8'", "always_f32", "auto_mixed_bf16"),
}


@pytest.mark.parametrize("text", WRONG)
def test_what_does_not_fit_is_refused_with_its_line(text):
    with pytest.raises(RlxError) as error:
        TrainingConfig.parse(text, "run.toml")
    assert error.value.code == "RLX801" and str(error.value).startswith("[RLX801] run.toml")
    for words in WRONG[text]:
        assert words in str(error.value), str(error.value)


def test_a_file_that_is_not_there():
    with pytest.raises(RlxError, match="No such file"):
        TrainingConfig.load("/nowhere/run.toml")


def test_optimizers_and_schedules():
    def rule(text):
        return TrainingConfig.parse(DATA + "[training]\nsteps = 50\n" + text).rule()

    adamw = rule("[optimizer]\nrate = 0.1\nbeta2 = 0.9\nweight_decay = 0.2\n[schedule]\nwarmup = 5\nfloor = 0.01")
    assert type(adamw) is AdamW and adamw.betas == (0.9, 0.9) and adamw.weight_decay == 0.2
    assert (adamw.schedule.shape, adamw.schedule.steps, adamw.schedule.at(50), adamw.schedule.peak) == ("cosine", 50, 0.01, 0.1)
    assert type(rule('[optimizer]\nkind = "adam"')) is Adam and type(rule('[optimizer]\nkind = "lion"')) is Lion
    sgd = rule('[optimizer]\nkind = "sgd"\nmomentum = 0.9\nnesterov = true\n[schedule]\nshape = "constant"')
    assert type(sgd) is SGD and (sgd.momentum, sgd.nesterov, sgd.schedule.shape) == (0.9, True, "constant")
