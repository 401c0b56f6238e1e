"""Whole files of every kind that RLX reads, as small as they can be: what the file fuzzer damages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

import rlx
from rlx.formats.gguf import read_gguf
from rlx.formats.gguf_writer import write_gguf
from rlx.train import AdamW, compile_training

LETTERS = "abcdefghijklmnopqrstuvwxyz"
TEMPLATE = "{% for m in messages %}<s>{{ m.role }} {{ m.content }}</s>{% endfor %}{% if add_generation_prompt %}a{% endif %}"
DECODERS = ("llama", "qwen2 windows", "gemma3", "phi3", "gpt2", "mixtral")


# -- vocabularies of 96 tokens ---------------------------------------------------------------------------------------
def scored_vocabulary() -> dict[str, Any]:
    """SentencePiece's: pieces with scores, bytes, control tokens."""
    pieces = ["<unk>", "<s>", "</s>", "▁", *LETTERS, "▁a", "ab", "abc", "▁the", "th", "he", "the", "▁t"]
    pieces += [f"<0x{byte:02X}>" for byte in range(96 - len(pieces))]
    types = [2, 3, 3] + [6 if piece.startswith("<0x") else 1 for piece in pieces[3:]]
    return {
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.tokens": pieces,
        "tokenizer.ggml.scores": -np.arange(96, dtype=np.float32),
        "tokenizer.ggml.token_type": np.array(types, np.int32),
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
        "tokenizer.ggml.unknown_token_id": 0,
        "tokenizer.ggml.add_bos_token": True,
        "tokenizer.chat_template": TEMPLATE,
        "general.sampling.temp": 0.0,
    }


def merged_vocabulary() -> dict[str, Any]:
    """GPT-2's: letters of bytes, and merges."""
    merges = ["a b", "ab c", "t h", "th e", "Ġ t", "Ġt he", "h e"]
    tokens = [
        "<|end|>",
        "<s>",
        "</s>",
        "Ġ",
        "Ċ",
        *LETTERS,
        *LETTERS.upper(),
        *"0123456789.,!?'",
        *(m.replace(" ", "") for m in merges),
    ]
    tokens += [f"x{number}" for number in range(96 - len(tokens))]
    return {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "gpt-2",
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.merges": merges,
        "tokenizer.ggml.token_type": np.array([3, 3, 3] + [1] * 93, np.int32),
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 0,
        "tokenizer.chat_template": TEMPLATE,
    }


def worded_vocabulary() -> dict[str, Any]:
    """BERT's: the beginnings of words, and what goes on."""
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *(f"▁{letter}" for letter in LETTERS), *LETTERS, "▁the", "he"]
    tokens += [f"x{number}" for number in range(96 - len(tokens))]
    return {
        "tokenizer.ggml.model": "bert",
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.token_type": np.array([3] * 4 + [1] * 92, np.int32),
        "tokenizer.ggml.unknown_token_id": 1,
        "tokenizer.ggml.cls_token_id": 2,
        "tokenizer.ggml.seperator_token_id": 3,
        "tokenizer.ggml.token_type_count": 2,
    }


# -- models ----------------------------------------------------------------------------------------------------------
def decoder_gguf(folder: Path, name: str, vocabulary: dict[str, Any]) -> Path:
    """One of transformers' tiny decoders as a GGUF file with a vocabulary that takes texts."""
    from tests.models.convert import to_gguf
    from tests.models.tiny_models import save

    to_gguf(save(name, folder / "hf"), folder / "plain.gguf")
    return _with_vocabulary(folder, vocabulary)


def encoder_gguf(folder: Path) -> Path:
    """A tiny BERT."""
    from tests.models.test_encoders import reference, to_gguf

    reference("bert").save_pretrained(folder / "hf")
    to_gguf(folder / "hf", folder / "plain.gguf", "bert")
    return _with_vocabulary(folder, worded_vocabulary())


def recurrent_gguf(folder: Path) -> Path:
    """A tiny Mamba."""
    from tests.models.recurrent_models import mamba_to_gguf, reference

    reference("mamba").save_pretrained(folder / "hf")
    mamba_to_gguf(folder / "hf", folder / "plain.gguf")
    return _with_vocabulary(folder, scored_vocabulary())


def _with_vocabulary(folder: Path, vocabulary: dict[str, Any]) -> Path:
    file = read_gguf(folder / "plain.gguf")
    kept = {key: value for key, value in file.metadata.items() if not key.startswith("tokenizer.")}
    write_gguf(folder / "model.gguf", kept | vocabulary, file.tensors)
    return folder / "model.gguf"


def typed_gguf(folder: Path) -> Path:
    """One tensor of every quantized type, and dense ones; no model."""
    from rlx.core.quant_scheme import QuantScheme
    from rlx.formats.gguf import DENSE_TYPES, GGML_TYPES
    from rlx.formats.gguf_writer import QuantizedTensor

    random = np.random.default_rng(0)
    tensors: dict[str, Any] = {kind: np.ones((2, 3), kind) for kind in ("float32", "float16", "int32")}
    for kind in GGML_TYPES.values():
        if kind not in DENSE_TYPES and kind not in ("Q8_K", "TQ1_0", "TQ2_0"):
            scheme = QuantScheme.gguf(kind)
            rows = random.integers(0, 255, (2, 256 // scheme.block_size() * scheme.block_bytes()), dtype=np.uint8)
            tensors[kind] = QuantizedTensor(scheme, rows)
    write_gguf(folder / "types.gguf", {"general.architecture": "none", "list": np.arange(5), "words": ["a", "b"]}, tensors)
    return folder / "types.gguf"


def hf_folder(folder: Path, name: str) -> Path:
    """A Hugging Face folder of a tiny model, with its tokenizer, defaults of sampling and a template."""
    from tests.models import recurrent_models, test_encoders
    from tests.models.tiny_models import CONFIGS, save

    if name in CONFIGS:
        save(name, folder)
    else:
        made = test_encoders.reference(name) if name in test_encoders.CONFIGS else recurrent_models.reference(name)
        made.save_pretrained(folder)
    if name in test_encoders.CONFIGS:
        kinds = [{"idx": 0, "path": "", "type": "m.Transformer"}, {"idx": 1, "path": "1_Pooling", "type": "m.Pooling"}]
        (folder / "modules.json").write_text(json.dumps(kinds))
        (folder / "1_Pooling").mkdir()
        (folder / "1_Pooling" / "config.json").write_text(
            json.dumps({"word_embedding_dimension": 32, "pooling_mode_mean_tokens": True})
        )
        tokenizer_json(folder, "words")
    else:
        tokenizer_json(folder, "scores" if name in ("llama", "gemma3", "mamba") else "bytes")
        (folder / "generation_config.json").write_text(
            json.dumps({"do_sample": True, "temperature": 0.7, "top_k": 5, "eos_token_id": [2]})
        )
    return folder


def sharded_folder(folder: Path) -> Path:
    """A folder whose tensors lie in two files, named by an index."""
    from safetensors.numpy import load_file, save_file

    hf_folder(folder, "llama")
    tensors = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    places: dict[str, str] = {}
    for number, names in enumerate((list(tensors)[::2], list(tensors)[1::2]), 1):
        file = f"model-{number:05}-of-00002.safetensors"
        save_file({name: tensors[name] for name in names}, folder / file)
        places |= dict.fromkeys(names, file)
    (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {}, "weight_map": places}))
    return folder


# -- tokenizers ------------------------------------------------------------------------------------------------------
def tokenizer_json(folder: Path, kind: str) -> Path:
    """tokenizer.json and tokenizer_config.json, of one of four kinds."""
    import tokenizers
    from tokenizers import decoders, models, normalizers, pre_tokenizers, processors

    special = ["<unk>", "<s>", "</s>"]
    match kind:
        case "bytes":
            plain = merged_vocabulary()
            ids = {text: number for number, text in enumerate(plain["tokenizer.ggml.tokens"])}
            engine = tokenizers.Tokenizer(models.BPE(ids, [tuple(m.split(" ")) for m in plain["tokenizer.ggml.merges"]]))
            engine.pre_tokenizer, engine.decoder = (pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel())
            special = ["<|end|>", "<s>", "</s>"]
        case "scores":
            plain = scored_vocabulary()
            ids = {text: number for number, text in enumerate(plain["tokenizer.ggml.tokens"])}
            engine = tokenizers.Tokenizer(
                models.BPE(ids, [("a", "b"), ("t", "h"), ("th", "e")], byte_fallback=True, unk_token="<unk>")
            )
            engine.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
            engine.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
        case "words":
            special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
            ids = {text: number for number, text in enumerate([*special, *LETTERS, *(f"##{letter}" for letter in LETTERS), "the"])}
            engine = tokenizers.Tokenizer(models.WordPiece(ids, unk_token="[UNK]"))
            engine.normalizer, engine.pre_tokenizer = normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()
            engine.decoder = decoders.WordPiece()
            engine.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
        case _:
            pieces = [
                ("<unk>", 0.0),
                ("<s>", 0.0),
                ("</s>", 0.0),
                ("▁", -1.0),
                *((letter, -3.0) for letter in LETTERS),
                ("▁the", -2.0),
            ]
            engine = tokenizers.Tokenizer(models.Unigram(pieces, 0))
            engine.pre_tokenizer, engine.decoder = pre_tokenizers.Metaspace(), decoders.Metaspace()
    engine.add_special_tokens(special)
    engine.save(str(folder / "tokenizer.json"))
    config = {"bos_token": "<s>", "eos_token": {"content": "</s>"}, "chat_template": TEMPLATE, "model_max_length": 64}
    (folder / "tokenizer_config.json").write_text(json.dumps(config))
    return folder


# -- RLX's own -------------------------------------------------------------------------------------------------------
def small_graph() -> rlx.Graph:
    """A product, constants short and long, a loop and a symbol."""
    g = rlx.Graph("small")
    x = g.input("x", (rlx.Dim("n", 1, 9), 4))
    table = g.constant(np.arange(3 * 20, dtype=np.float32).reshape(20, 3))
    g.set_outputs({"y": g.gelu(x @ g.param("w", (4, 3))) + table.sum(axes=0), "z": g.softmax(x, axis=-1)})
    return g


def module_file(folder: Path, level: str) -> Path:
    """A module at MIR, or at LIR with its plan."""
    module = rlx.GraphModule.from_graph(small_graph())
    if level == "lir":
        module = rlx.GraphModule.from_lir(rlx.compat.LirModule(rlx.compile(small_graph()).lir))
    module.save(folder / "module.rlx")
    return folder / "module.rlx"


def executable_file(folder: Path) -> Path:
    """Native code with the param it reads."""
    exe = rlx.compile(small_graph(), "cpu")
    exe.set_param("w", np.ones((4, 3), np.float32))
    exe.save(folder / "small.rlxe", params=True)
    return folder / "small.rlxe"


def training() -> Any:
    """A network of two layers, as it is trained."""
    g = rlx.Graph("line")
    x, y = g.input("x", (8, 3)), g.input("y", (8, 1))
    error = g.tanh(x @ g.param("w1", (3, 5))) @ g.param("w2", (5, 1)) - y
    g.set_outputs({"loss": (error * error).mean()})
    return compile_training(g, "loss", AdamW(lr=0.1), clip_norm=1.0, ema=0.9)


def batch() -> dict[str, Any]:
    """What it is trained on."""
    random = np.random.default_rng(0)
    return {"x": random.standard_normal((8, 3)).astype(np.float32), "y": random.standard_normal((8, 1)).astype(np.float32)}


def checkpoint_file(folder: Path) -> Path:
    """After two steps, as `Checkpoints` names and fills it."""
    from rlx.train.checkpoints import Checkpoints

    made = training()
    made.set_params({"w1": np.ones((3, 5), np.float32), "w2": np.ones((5, 1), np.float32)})
    for _ in range(2):
        made.step(batch())
    return Checkpoints(folder).save(made, 2, {"training.steps": 4, "model.width": 5})
