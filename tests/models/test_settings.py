"""Each field of the config classes of the installed transformers is read, harmless for a written reason, or refused."""

from __future__ import annotations

import copy
import json
import warnings
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import transformers

from rlx.core.errors import RlxError
from rlx.formats.gguf import read_gguf
from rlx.formats.gguf_writer import write_gguf
from rlx.models import open_model
from rlx.models.family import MODULES, Family
from rlx.models.settings import EVERYWHERE, EVERYWHERE_ONLY, Settings
from tests.models.convert import to_gguf
from tests.models.test_bad_models import saved  # noqa: F401  a fixture
from tests.models.tiny_models import CONFIGS

FAMILIES: dict[str, Family] = {name: import_module(f"rlx.models.{name}").FAMILY for name in MODULES}
ARCHITECTURES = [(module, name) for module, (_, names) in MODULES.items() for name in names]
EACH = pytest.mark.parametrize(("module", "architecture"), ARCHITECTURES, ids=[name for _, name in ARCHITECTURES])


def settings_of(module: str, architecture: str) -> Settings:
    return FAMILIES[module].settings[architecture]


def fields_of(architecture: str) -> dict[str, Any]:
    """What the config class of an architecture writes; the fields of a nested text_config are read as its own."""
    config = getattr(transformers, architecture).config_class()
    fields: dict[str, Any] = config.to_dict()
    return {**fields, **fields.get("text_config", {})}


@EACH
def test_every_field_of_the_config_class_is_accounted_for(module: str, architecture: str) -> None:
    unknown = sorted(fields_of(architecture).keys() - settings_of(module, architecture).known)
    assert not unknown, f"{architecture}: say in rlx/models/{module}.py whether {unknown} are read, harmless or refused"


@EACH
def test_a_field_is_said_to_be_one_thing_with_a_reason(module: str, architecture: str) -> None:
    settings = settings_of(module, architecture)
    assert not settings.read & settings.harmless.keys() and not settings.read & settings.only.keys()
    assert not settings.harmless.keys() & settings.only.keys() and settings.defaults.keys() <= settings.read
    assert all(reason for reason in (*settings.harmless.values(), *EVERYWHERE.values()))


@EACH
def test_defaults_are_those_of_the_class(module: str, architecture: str) -> None:
    """Where a class has none, it is worked out from other fields or is a default of rope."""
    config = getattr(transformers, architecture).config_class
    config = getattr(config, "sub_configs", {}).get("text_config", config)
    for name, value in settings_of(module, architecture).defaults.items():
        if name == "rope_theta":
            theta = config.default_theta
            assert value == (theta["global"] if isinstance(theta, dict) else theta), name
        else:
            assert getattr(config, name, None) == value, name


@EACH
def test_a_value_that_is_not_implemented_is_refused(module: str, architecture: str) -> None:
    settings = settings_of(module, architecture)
    for name, values in {**EVERYWHERE_ONLY, **settings.only}.items():
        if name == "is_decoder" and not FAMILIES[module].embeds:
            continue
        for wrong in ("something else", 7, ["x"]):
            with pytest.raises(RlxError, match=name) as raised:
                settings.check_fields({name: wrong}, "folder")
            assert raised.value.code == "RLX702"
        for right in (*values, None):
            settings.check_fields({name: right}, "folder")


# -- in folders ----------------------------------------------------------------------------------------------------
def written(folder: Path, new: Path, config: dict[str, Any]) -> Path:
    if not (new / "model.safetensors").exists():
        (new / "model.safetensors").symlink_to(folder / "model.safetensors")
    (new / "config.json").write_text(json.dumps(config))
    return new


@pytest.mark.parametrize("name", CONFIGS)
def test_a_field_left_out_means_what_transformers_takes_it_for(name: str, saved: Callable[[str], Path], tmp_path: Path) -> None:
    """Or the folder is refused."""
    whole = json.loads((saved(name) / "config.json").read_text())
    kind = getattr(transformers, CONFIGS[name][0])
    for key in sorted(
        whole.keys() - {"architectures", "model_type", "tie_word_embeddings"}
    ):  # the last: where a file has no lm_head
        less = {other: value for other, value in whole.items() if other != key}
        try:
            completed = kind(**copy.deepcopy({k: v for k, v in less.items() if k not in ("architectures", "model_type")})).to_dict()
        except Exception:  # transformers needs it, or the sizes do not fit without it
            continue
        completed |= {"architectures": whole["architectures"], "model_type": whole["model_type"]}
        try:
            found = open_model(written(saved(name), tmp_path, less)).config
        except RlxError:
            continue
        assert found == open_model(written(saved(name), tmp_path, completed)).config, key


class Recording(dict[str, Any]):
    """Settings that remember who was asked for."""

    def __init__(self, given: dict[str, Any]) -> None:
        super().__init__(given)
        self.asked: set[str] = set()

    def get(self, key: str, default: Any = None) -> Any:
        self.asked.add(key)
        return super().get(key, default)

    def __getitem__(self, key: str) -> Any:
        self.asked.add(key)
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self.asked.add(str(key))
        return super().__contains__(key)


@pytest.mark.parametrize("name", CONFIGS)
def test_what_is_said_to_be_read_is_read(name: str, saved: Callable[[str], Path]) -> None:
    model = open_model(saved(name))
    source, family = model.source, model.family
    everything = {**fields_of(source.architecture), **json.loads((saved(name) / "config.json").read_text())}
    fields = family.settings[source.architecture]
    asked: set[str] = set()
    for left_out in ((), ("layer_types",), ("rope_parameters",), ("rope_parameters", "layer_types"), ("num_experts",)):
        given = {key: value for key, value in everything.items() if key not in left_out}
        source.settings = recording = Recording({**given, "use_sliding_window": True, "sliding_window": 8})
        family.from_hf(source)  # type: ignore[arg-type]
        source.read_weights(family.hf_names(model.config), family.unused)
        asked |= recording.asked
    assert fields.read <= asked, fields.read - asked


def test_a_field_of_another_architecture_has_no_effect_and_is_told_of(saved: Callable[[str], Path], tmp_path: Path) -> None:
    config = json.loads((saved("llama") / "config.json").read_text())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plain = open_model(written(saved("llama"), tmp_path, {**config, "sliding_window": None, "use_thing": False})).config
    with pytest.warns(UserWarning, match="no effect: sliding_window=8"):
        assert open_model(written(saved("llama"), tmp_path, {**config, "sliding_window": 8})).config == plain


ROTATES_ALL = [name for name in CONFIGS if not name.startswith(("phi3", "gpt2"))]


@pytest.mark.parametrize("nested", [True, False])
@pytest.mark.parametrize("name", ROTATES_ALL)
def test_a_part_of_a_head_is_not_rotated_where_transformers_rotates_all_of_it(
    name: str, nested: bool, saved: Callable[[str], Path], tmp_path: Path
) -> None:
    """Its classes ignore partial_rotary_factor without a scaling, and fail with one: the tables are narrower than the heads."""
    config = json.loads((saved(name) / "config.json").read_text())
    plain = open_model(saved(name)).config
    rope = config["rope_parameters"]
    ropes = [rope] if "rope_type" in rope else list(rope.values())
    for place in ropes if nested else [config]:
        place["partial_rotary_factor"] = 0.5
    if all(one["rope_type"] == "default" for one in ropes):
        with pytest.warns(UserWarning, match="no effect: partial_rotary_factor=0.5"):
            assert open_model(written(saved(name), tmp_path, config)).config == plain
    else:
        with pytest.raises(RlxError, match="partial_rotary_factor is"):
            open_model(written(saved(name), tmp_path, config))


def test_gemma3_does_not_cap_scores(saved: Callable[[str], Path], tmp_path: Path) -> None:
    """The field is in its class, and nothing reads it."""
    config = json.loads((saved("gemma3") / "config.json").read_text())
    plain = open_model(saved("gemma3")).config
    with pytest.warns(UserWarning, match="no effect: attn_logit_softcapping=0.7"):
        capped = open_model(written(saved("gemma3"), tmp_path, {**config, "attn_logit_softcapping": 0.7}))
    assert capped.config == plain


def test_a_window_in_a_gguf_file_of_qwen_is_told_of(saved: Callable[[str], Path], tmp_path: Path) -> None:
    to_gguf(saved("qwen3"), tmp_path / "plain.gguf")
    file = read_gguf(tmp_path / "plain.gguf")
    write_gguf(tmp_path / "window.gguf", {**file.metadata, "qwen3.attention.sliding_window": 8}, file.tensors)
    with pytest.warns(UserWarning, match="without effect in this architecture: qwen3.attention.sliding_window=8"):
        assert open_model(tmp_path / "window.gguf").config.window is None  # type: ignore[attr-defined]


def test_gemma2_gguf_files_without_a_window_have_the_trained_one(saved: Callable[[str], Path], tmp_path: Path) -> None:
    """llama.cpp's default, for files of the first weeks."""
    to_gguf(saved("gemma2"), tmp_path / "today.gguf")
    file = read_gguf(tmp_path / "today.gguf")
    early = {key: value for key, value in file.metadata.items() if key != "gemma2.attention.sliding_window"}
    write_gguf(tmp_path / "early.gguf", early, file.tensors)
    assert open_model(tmp_path / "early.gguf").config.window == 4096  # type: ignore[attr-defined]


REFUSED: list[tuple[str, str, Any]] = [
    ("gemma3", "use_bidirectional_attention", True),
    ("gemma3", "hidden_activation", "relu"),
    ("gemma", "hidden_act", "silu"),
    ("gpt2", "add_cross_attention", True),
    ("llama", "is_encoder_decoder", True),
    ("llama", "rope_interleaved", True),
]


@pytest.mark.parametrize(("name", "key", "value"), REFUSED, ids=[f"{name} {key}" for name, key, _ in REFUSED])
def test_an_option_that_is_not_handled_is_refused(
    name: str, key: str, value: Any, saved: Callable[[str], Path], tmp_path: Path
) -> None:
    config = json.loads((saved(name) / "config.json").read_text())
    with pytest.raises(RlxError, match=key) as raised:
        open_model(written(saved(name), tmp_path, {**config, key: value}))
    assert raised.value.code == "RLX702"


GGUF_REFUSED = [
    ("attention.scale", 0.5),
    ("logit_scale", 0.25),
    ("final_logit_softcapping", 30.0),
    ("attention.causal", False),
    ("expert_gating_func", 2),
    ("rope.scaling.attn_factor", 1.5),
    ("attention.clamp_kqv", 8.0),
    ("expert_weights_scale", 2.5),
]


@pytest.mark.parametrize(("key", "value"), GGUF_REFUSED, ids=[key for key, _ in GGUF_REFUSED])
def test_an_option_of_a_gguf_file_that_is_not_handled_is_refused(
    key: str, value: Any, saved: Callable[[str], Path], tmp_path: Path
) -> None:
    to_gguf(saved("llama"), tmp_path / "right.gguf")
    file = read_gguf(tmp_path / "right.gguf")
    write_gguf(tmp_path / "wrong.gguf", {**file.metadata, f"llama.{key}": value}, file.tensors)
    with pytest.raises(RlxError, match=f"llama.{key} is {value}, which is not implemented") as raised:
        open_model(tmp_path / "wrong.gguf")
    assert raised.value.code == "RLX702"


def test_settings_of_a_gguf_file_that_nobody_knows_are_told_of(saved: Callable[[str], Path], tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        to_gguf(saved("llama"), tmp_path / "right.gguf")
        open_model(tmp_path / "right.gguf")
    file = read_gguf(tmp_path / "right.gguf")
    write_gguf(tmp_path / "more.gguf", {**file.metadata, "llama.attention.wobble": 3}, file.tensors)
    with pytest.warns(UserWarning, match="llama.attention.wobble=3"):
        open_model(tmp_path / "more.gguf")


def test_an_unknown_field_of_rope_is_refused(saved: Callable[[str], Path], tmp_path: Path) -> None:
    config = json.loads((saved("llama") / "config.json").read_text())
    config["rope_parameters"]["alpha"] = 1000
    with pytest.raises(RlxError, match="alpha") as raised:
        open_model(written(saved("llama"), tmp_path, config))
    assert raised.value.code == "RLX702"
    del config["rope_parameters"]["alpha"]
    config["rope_parameters"]["finetuned"] = True
    open_model(written(saved("llama"), tmp_path, config))
