"""docs/models.md: its table is the list of families, its example computes what the formula says, its profile has all keys."""

from __future__ import annotations

import re
import tomllib
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import erf

from rlx.models import Profile, family, supported
from rlx.passes.entry import OPTIONAL

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "models.md").read_text()


def code(language: str) -> str:
    (block,) = re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)
    return str(block)


def test_every_family_is_in_the_table() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \|(.*)$", TEXT, re.MULTILINE))
    assert set(rows) == set(family.MODULES)
    for module, names in family.MODULES.items():
        columns = [re.findall(r"`([\w-]+)`", column) for column in rows[module].split("|")[1:3]]
        assert columns == [list(names[0]), list(names[1])], module


@pytest.mark.parametrize("module", family.MODULES)
def test_a_family_reads_what_the_table_promises(module: str) -> None:
    """And its file is short, on the public builder alone."""
    found = __import__(f"rlx.models.{module}", fromlist=["FAMILY"])
    assert (found.FAMILY.gguf, found.FAMILY.hf) == family.MODULES[module]
    text = Path(found.__file__).read_text()
    assert text.count("\n") < 350
    assert not re.search(r"rlx\.(passes|plan|backends|runtime|ops)\b|module\._", text)


def test_the_example_computes_its_formula(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(family, "_REGISTERED", [])
    names: dict[str, Any] = {"__name__": "example"}
    exec(compile(code("python"), "docs/models.md", "exec", dont_inherit=True), names)
    assert capsys.readouterr().out.startswith("(1, 50)")
    assert "BesideForCausalLM" in supported("hf") and "beside" in supported("gguf")
    np.testing.assert_allclose(names["logits"], formula(names["tensors"], names["tokens"][0])[None], atol=1e-4)


def formula(tensors: dict[str, Any], ids: Any) -> Any:
    """The example's model in NumPy, in f64: the logits of the last token."""
    w = {name.removeprefix("layers.0."): array.astype(np.float64) for name, array in tensors.items()}

    def norm(x: Any) -> Any:
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6)

    def turned(x: Any) -> Any:
        angles = np.arange(len(ids))[:, None, None] * 10000.0 ** (-np.arange(8) / 8)
        first, second = x[..., :8], x[..., 8:]
        return np.concatenate(
            [first * np.cos(angles) - second * np.sin(angles), second * np.cos(angles) + first * np.sin(angles)], -1
        )

    x = w["embed.weight"][ids]
    inner = norm(x)
    q, k, v = ((inner @ w[f"{name}.weight"].T).reshape(len(ids), 2, 16) for name in "qkv")
    scores = np.einsum("ihd,jhd->hij", turned(q), turned(k)) / 4
    weights = np.exp(np.where(np.tri(len(ids), dtype=bool), scores, -np.inf))
    mixed = np.einsum("hij,jhd->ihd", weights / weights.sum(-1, keepdims=True), v).reshape(len(ids), 32)
    up = inner @ w["up.weight"].T
    x = x + mixed @ w["o.weight"].T + (up * (1 + erf(up / np.sqrt(2))) / 2) @ w["down.weight"].T
    return norm(x)[-1] @ w["embed.weight"].T


def test_the_profile_shows_every_key_with_its_default() -> None:
    assert asdict(Profile.parse(code("toml"))) == asdict(Profile())
    assert list(tomllib.loads(code("toml"))) == [*asdict(Profile())]
    assert all(name in code("toml") for name in OPTIONAL)
