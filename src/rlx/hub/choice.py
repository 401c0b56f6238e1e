"""Which files of a repository make a model: the rules of `llama-server -hf` for GGUF, a fixed list for safetensors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

WEIGHTS, WEIGHTS_INDEX = "model.safetensors", "model.safetensors.index.json"
# everything beside the weights that a model folder may need
SETTINGS = (
    "config.json",
    "generation_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "tokenizer.model",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.json",
    "vocab.txt",
    "merges.txt",
    "chat_template.jinja",
    "chat_template.json",
    "modules.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
    "1_Pooling/config.json",
)
_NO_MODEL = re.compile(r"mmproj|imatrix|^(mtp|eagle3|dflash|dspark)-")
_PART = re.compile(r"^(?P<start>.*)-(?P<number>\d{5})-of-(?P<count>\d{5})(?P<end>\.gguf)$", re.IGNORECASE)
_TAG = re.compile(r"[.-]((?:UD-)?(?:I?Q\d\w*|TQ\d\w*|BF16|F16|F32|MXFP4\w*|NVFP4\w*))(?=[.-])", re.IGNORECASE)
_PREFERRED = ("Q4_K_M", "Q8_0")


def parts_of(name: str) -> list[str]:
    """Lists all parts of a split GGUF file, named by any of them; any other file is its only part.

    >>> parts_of("big-00001-of-00002.gguf"), parts_of("small.gguf")
    (['big-00001-of-00002.gguf', 'big-00002-of-00002.gguf'], ['small.gguf'])
    """
    match = _PART.match(name)
    if match is None:
        return [name]
    start, count, end = match["start"], match["count"], match["end"]
    return [f"{start}-{number:05d}-of-{count}{end}" for number in range(1, int(count) + 1)]


def gguf_models(names: Iterable[str]) -> list[str]:
    """Filters the GGUF models from file names, in order: the first part of each; no projectors, matrices or draft heads.

    >>> gguf_models(["m-Q8_0.gguf", "mmproj-m.gguf", "b-00002-of-00002.gguf", "b-00001-of-00002.gguf", "README.md"])
    ['b-00001-of-00002.gguf', 'm-Q8_0.gguf']
    """
    there = set(names)
    models = [name for name in there if name.lower().endswith(".gguf") and parts_of(name)[0] == name]
    own = [name for name in models if not _NO_MODEL.search(name.rpartition("/")[2].lower())]
    return sorted(name for name in own if there.issuperset(parts_of(name)))


def choose_gguf(names: Iterable[str], tag: str | None = None) -> str | None:
    """Chooses the GGUF model of a tag: `TAG.` or `TAG-` in its name; without a tag Q4_K_M, then Q8_0, then the first.

    >>> names = ["m-BF16.gguf", "m-Q8_0.gguf", "m-Q4_K_M.gguf"]
    >>> choose_gguf(names), choose_gguf(names, "q8_0"), choose_gguf(names, "Q2_K"), choose_gguf(names[:1])
    ('m-Q4_K_M.gguf', 'm-Q8_0.gguf', None, 'm-BF16.gguf')
    """
    models = gguf_models(names)
    for candidate in _PREFERRED if tag is None else (tag,):
        pattern = re.compile(rf"{re.escape(candidate)}[.-]", re.IGNORECASE)
        match = next((name for name in models if pattern.search(name)), None)
        if match is not None:
            return match
    return models[0] if models and tag is None else None


def tag_of(name: str) -> str | None:
    """Finds the quantization tag in a file's name.

    >>> tag_of("Llama-3.2-1B-Instruct-Q4_K_M.gguf"), tag_of("UD/m-UD-Q2_K_XL-00001-of-00002.gguf"), tag_of("model.gguf")
    ('Q4_K_M', 'UD-Q2_K_XL', None)
    """
    matches = _TAG.findall(name.rpartition("/")[2])
    return str(matches[-1]).upper() if matches else None


def tags(names: Sequence[str]) -> list[str]:
    """Lists the tags of the GGUF models in a listing."""
    return list(dict.fromkeys(tag for name in gguf_models(names) if (tag := tag_of(name)) is not None))
