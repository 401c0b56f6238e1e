"""Recipes: which tensor of a model gets which type when a file is quantized.

A recipe is a type for most tensors and a few rules for those that benefit from more bits: the values of attention, the down projection,
the output layer. They are llama.cpp's mixtures of the same names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rlx.core.errors import RlxError
from rlx.core.quant_scheme import QuantScheme

Dims = tuple[int, ...]


@dataclass(frozen=True)
class ModelFacts:
    """The facts about a model that rules use."""

    layers: int = 0
    heads_per_value: int = 1  # query heads per kv head
    experts: int = 0

    @staticmethod
    def of(metadata: Mapping[str, Any]) -> ModelFacts:
        """From a GGUF's metadata; a file without these keys is a model without layers."""
        family = str(metadata.get("general.architecture", ""))

        def number(key: str, default: int) -> int:
            value = np.asarray(metadata.get(f"{family}.{key}", default)).reshape(-1)  # some have one per layer
            return int(value[0]) if value.size else default

        heads = number("attention.head_count", 1)
        value_heads = number("attention.head_count_kv", heads)
        return ModelFacts(number("block_count", 0), heads // value_heads if value_heads else 0, number("expert_count", 0))


@dataclass(frozen=True)
class TensorPlace:
    """The position of a tensor: number `index` of `count` with its role."""

    index: int
    count: int
    facts: ModelFacts


Condition = Callable[[TensorPlace], bool]
Rules = tuple[tuple[Condition, str], ...]


def _always(place: TensorPlace) -> bool:
    return True


def _first(count: int) -> Condition:
    return lambda place: place.index < count


def _first_part(parts: int) -> Condition:
    return lambda place: place.index < place.count // parts


def _ends_and_every_third(place: TensorPlace) -> bool:
    """The first and last eighth of the layers, and every third in between."""
    eighth = place.count // 8
    return place.index < eighth or place.index >= 7 * place.count // 8 or (place.index - eighth) % 3 == 2


def _shared_values(place: TensorPlace) -> bool:
    """Four or more query heads share a kv head: a small tensor that much depends on."""
    return place.facts.heads_per_value >= 4


@dataclass(frozen=True)
class TypeRecipe:
    """Types by role: a role's first matching rule decides, else `base`. `eight` is the type of the attention output in models with eight
    experts, where it is small relative to the rest."""

    name: str
    base: str
    file_type: int  # general.file_type
    value: Rules = ()
    down: Rules = ()
    out: Rules = ()
    embedding: str = ""
    eight: str = ""
    experts: str = ""  # only experts get this type; base is for everything else, including the output
    pure: bool = field(default=False)  # base for all

    def all_base(self) -> TypeRecipe:
        """The same type for every tensor that is quantized."""
        return TypeRecipe(self.name, self.experts or self.base, self.file_type, pure=True)


def _recipe(name: str, base: str, file_type: int, **rules: Any) -> TypeRecipe:
    return TypeRecipe(name, base, file_type, **rules)


_MORE_BITS: Rules = ((_ends_and_every_third, "Q6_K"),)
_IQ4: dict[str, Any] = {"value": ((_shared_values, "Q5_K"),), "down": ((_first_part(8), "Q5_K"),), "eight": "Q5_K"}

RECIPES: dict[str, TypeRecipe] = {
    recipe.name: recipe
    for recipe in (
        _recipe("f32", "F32", 0),
        _recipe("f16", "F16", 1),
        _recipe("bf16", "BF16", 32),
        _recipe("q8_0", "Q8_0", 7),
        _recipe("q4_0", "Q4_0", 2),
        _recipe("q4_1", "Q4_1", 3),
        _recipe("q5_0", "Q5_0", 8),
        _recipe("q5_1", "Q5_1", 9),
        _recipe(
            "q2_k",
            "Q2_K",
            10,
            value=((_shared_values, "Q4_K"), (_always, "Q3_K")),
            down=((_always, "Q3_K"),),
            out=((_always, "Q3_K"),),
            eight="Q5_K",
        ),
        _recipe("q3_k_s", "Q3_K", 11, eight="Q5_K"),
        _recipe(
            "q3_k_m",
            "Q3_K",
            12,
            value=((_first(2), "Q5_K"), (_always, "Q4_K")),
            down=((_first_part(16), "Q5_K"), (_always, "Q4_K")),
            out=((_always, "Q4_K"),),
            eight="Q5_K",
        ),
        _recipe(
            "q3_k_l", "Q3_K", 13, value=((_always, "Q5_K"),), down=((_always, "Q5_K"),), out=((_always, "Q5_K"),), eight="Q3_K"
        ),
        _recipe("q4_k_s", "Q4_K", 14, value=((_first(4), "Q5_K"),), down=((_first_part(8), "Q5_K"),), eight="Q5_K"),
        _recipe("q4_k_m", "Q4_K", 15, value=_MORE_BITS, down=_MORE_BITS, eight="Q5_K"),
        _recipe("q5_k_s", "Q5_K", 16),
        _recipe("q5_k_m", "Q5_K", 17, value=_MORE_BITS, down=_MORE_BITS),
        _recipe("q6_k", "Q6_K", 18),
        _recipe("iq4_nl", "IQ4_NL", 25, **_IQ4),
        _recipe("iq4_xs", "IQ4_XS", 30, **_IQ4),
        _recipe("tq1_0", "TQ1_0", 36, embedding="Q4_K"),
        _recipe("tq2_0", "TQ2_0", 37, embedding="Q4_K"),
        _recipe("mxfp4_moe", "Q8_0", 38, experts="MXFP4"),
    )
}


def recipe_of(name: str) -> TypeRecipe:
    """A recipe by its name, in any case."""
    found = RECIPES.get(name.lower())
    if found is None:
        raise RlxError("RLX706", f"{name!r} is not a type to quantize to", fix=f"one of {', '.join(RECIPES)}", at=None)
    return found


# -- roles --------------------------------------------------------------------------------------------------------
_ROLES = (
    ("output", r"output\.weight"),
    ("embedding", r"(per_layer_)?token_embd\.weight"),
    ("value", r".*(attn_qkv|attn_kv_b|attn_v)\.weight"),
    ("key", r".*attn_k\.weight"),
    ("out", r".*attn_output\.weight"),
    ("down", r".*ffn_down.*"),
)

_KEPT = re.compile(
    r"_norm\.weight|ffn_gate_inp\.weight|ffn_gate_tid2eid|altup|laurel|per_layer_model_proj|^position_embd\.|^token_types\.|ssm_conv1d"
    r"|shortconv\.conv\.weight|indexer\.[kq]_proj|time_mix_(first|w[012]|v[012]|a[012]|g[12]|decay_w[12]|lerp_fused)\.weight"
    r"|attn_rel_b|\.position_embd|sam\.(pos_embd|neck\.|net_)|\.rel_pos|\.patch_(embd|merger)|a\.rvq\.codebook|mm\.a\.code_embd"
)
"""Tables and small matrices that few bits would harm and that save almost nothing."""


def _role(name: str) -> str:
    return next((role for role, pattern in _ROLES if re.fullmatch(pattern, name)), "other")


def _is_quantized(name: str, dims: Dims) -> bool:
    """Matrices named as weights, and stacks of them; leading axes of size 1 do not count."""
    while dims and dims[0] == 1:
        dims = dims[1:]
    return len(dims) >= 2 and name.endswith("weight") and _KEPT.search(name) is None


def types_of(recipe: TypeRecipe, tensors: Mapping[str, Dims], facts: ModelFacts) -> dict[str, str | None]:
    """The type of each tensor by its name and dims; None for one that stays unchanged."""
    tied = "output.weight" not in tensors
    values = sorted((name for name in tensors if _role(name) == "value"), key=lambda name: (_layer(name, -1), name))
    found: dict[str, str | None] = {}
    for name, dims in tensors.items():
        if not _is_quantized(name, dims):
            found[name] = None
            continue
        role = _role(name)
        if role == "embedding" and tied:
            role = "output"
        place = (
            TensorPlace(values.index(name), len(values), facts)
            if role == "value"
            else TensorPlace(_layer(name, 0), facts.layers, facts)
        )
        found[name] = _fitting(_type(recipe, role, dims, place), dims[-1])
    return found


def _layer(name: str, default: int) -> int:
    match = re.match(r"blk\.(\d+)\.", name)
    return int(match[1]) if match else default


def _type(recipe: TypeRecipe, role: str, dims: Dims, place: TensorPlace) -> str:
    if recipe.pure or recipe.base in ("F32", "F16", "BF16"):
        return recipe.base
    if recipe.experts:
        return recipe.experts if role != "output" and len(dims) > 2 and dims[0] > 1 else recipe.base
    if role == "output":
        return "Q8_0" if recipe.base == "Q8_0" or dims[-1] % QuantScheme.gguf(recipe.base).block_size() else "Q6_K"
    if role == "embedding":
        return recipe.embedding or recipe.base
    if place.facts.experts == 8:
        if role in ("value", "key"):
            return "Q8_0"
        if role == "out":
            return recipe.eight or recipe.base
    rules: Rules = getattr(recipe, role) if role in ("value", "down", "out") else ()
    chosen = next((kind for holds, kind in rules if holds(place)), recipe.base)
    if role == "value" and chosen in ("Q3_K", "Q4_K") and place.facts.layers == 80 and place.facts.heads_per_value >= 8:
        return "Q5_K"  # 70B models: eight query heads share a kv head
    return chosen


_SMALLER = {
    "Q2_K": "Q4_0",
    "Q3_K": "Q4_0",
    "TQ1_0": "Q4_0",
    "TQ2_0": "Q4_0",
    "Q4_K": "Q5_0",
    "Q5_K": "Q5_1",
    "Q6_K": "Q8_0",
    "IQ4_XS": "IQ4_NL",
}
"""The replacement with blocks of 32 for rows that 256 does not divide."""


def _fitting(kind: str, row: int) -> str:
    """The type itself, or its replacement; F16 if 32 does not divide the rows either."""
    if kind == "F32" or row % QuantScheme.gguf(kind).block_size() == 0:
        return kind
    smaller = _SMALLER.get(kind, kind)
    return smaller if row % QuantScheme.gguf(smaller).block_size() == 0 else "F16"
