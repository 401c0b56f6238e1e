"""What is no model we read says what it is and what to do; tensors that no param reads are refused."""

from __future__ import annotations

import base64
import json
import pickle
import struct
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers
from safetensors.numpy import load_file, save_file

import rlx
from rlx.core.aligned import is_mapped
from rlx.core.errors import RlxError
from rlx.formats.gguf import read_gguf
from rlx.formats.gguf_writer import write_gguf
from rlx.formats.tokenizer import MissingTokenizer, folder_tokenizer
from rlx.models import Shapes, open_model
from tests.models.convert import to_gguf
from tests.models.running import Running
from tests.models.tiny_models import reference, save


def refused(path: Path, code: str, *words: str) -> None:
    with pytest.raises(RlxError) as raised:
        rlx.load_model(path)
    assert raised.value.code == code and all(word in str(raised.value) for word in words), str(raised.value)


def test_a_folder_with_pytorch_model_bin_alone(tmp_path: Path) -> None:
    save("llama", tmp_path)
    tensors = {name: torch.tensor(array) for name, array in load_file(tmp_path / "model.safetensors").items()}
    (tmp_path / "model.safetensors").unlink()
    torch.save(tensors, tmp_path / "pytorch_model.bin")
    refused(tmp_path, "RLX702", "pytorch_model.bin", "PyTorch", "save_pretrained")
    refused(tmp_path / "pytorch_model.bin", "RLX702", "PyTorch", "save_pretrained")


def test_a_folder_without_weights(tmp_path: Path) -> None:
    save("llama", tmp_path)
    (tmp_path / "model.safetensors").unlink()
    refused(tmp_path, "RLX703", "no model.safetensors", "config.json")
    (tmp_path / "tf_model.h5").write_bytes(b"")
    refused(tmp_path, "RLX702", "tf_model.h5", "TensorFlow")


def test_a_folder_of_an_adapter(tmp_path: Path) -> None:
    (tmp_path / "adapter_config.json").write_text("{}")
    refused(tmp_path, "RLX702", "LoRA", "merge")


@pytest.mark.parametrize("architectures", [None, [], [7], "LlamaForCausalLM"])
def test_a_config_without_architectures(architectures: object, tmp_path: Path) -> None:
    save("llama", tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps({**config, "architectures": architectures}))
    refused(tmp_path, "RLX703", "no architectures", "'llama'", '"architectures": ["LlamaForCausalLM"]')


def test_a_gguf_beside_a_config(tmp_path: Path) -> None:
    """Folders that GGUF files are published in often have both."""
    to_gguf(save("llama", tmp_path / "folder"), tmp_path / "model.gguf")
    (tmp_path / "config.json").write_text((tmp_path / "folder" / "config.json").read_text())
    assert open_model(tmp_path).config.architecture == "llama"


@pytest.mark.parametrize("shared", [True, False])
def test_a_checkpoint_of_llama2_c(shared: bool, tmp_path: Path) -> None:
    width, inner, layers, heads, kv_heads, vocabulary, context = 48, 128, 2, 6, 3, 512, 32
    keys = width // heads * kv_heads
    numbers = vocabulary * width + layers * (2 * width + 2 * width * width + 2 * width * keys + 3 * width * inner) + width
    numbers += context * (width // heads) + (0 if shared else vocabulary * width)
    header = struct.pack("<7i", width, inner, layers, heads, kv_heads, vocabulary if shared else -vocabulary, context)
    (tmp_path / "stories.bin").write_bytes(header + bytes(4 * numbers))
    refused(tmp_path / "stories.bin", "RLX702", "llama2.c", "export.py")


FILES = [
    ("old.bin", pickle.dumps({}, protocol=2), "PyTorch"),
    ("a.pkl", pickle.dumps({}, protocol=4), "pickle"),
    ("m.bin", b"tjgg" + bytes(9), "GGJT"),
    ("m.gguf", b"version https://git-lfs.github.com/spec/v1\n", "git lfs pull"),
    ("model.safetensors", bytes(16), "folder"),
    ("config.json", b"{}", "folder"),
    ("m.onnx", b"\x08\x07", "ONNX"),
    ("llama.bin", b"24ka" + bytes(300), "llama2.c"),
]


@pytest.mark.parametrize(("name", "content", "word"), FILES, ids=[name for name, _, _ in FILES])
def test_a_file_of_another_kind(name: str, content: bytes, word: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    refused(tmp_path / name, "RLX702", word, name)


def test_a_file_of_no_known_kind_and_none(tmp_path: Path) -> None:
    (tmp_path / "noise").write_bytes(bytes(range(64)))
    refused(tmp_path / "noise", "RLX303", "GGUF")
    refused(tmp_path / "nothing", "RLX303", "nothing")


# -- tensors that no param reads -----------------------------------------------------------------------------------
def with_tensor(folder: Path, name: str) -> Path:
    tensors = load_file(folder / "model.safetensors")
    save_file({**tensors, name: np.zeros((4, 4), np.float32)}, folder / "model.safetensors")
    return folder


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("llama", "model.layers.0.self_attn.sinks"),
        ("llama", "model.layers.2.mlp.up_proj.weight"),
        ("llama", "lm_head.bias"),
        ("llama", "model.layers.0.self_attn.q_proj.lora_A.weight"),
        ("phi3", "lm_head.bias"),
        ("gpt2", "h.0.crossattention.c_attn.weight"),
    ],
)
def test_a_tensor_without_a_place_is_refused(model: str, name: str, tmp_path: Path) -> None:
    refused(with_tensor(save(model, tmp_path), name), "RLX702", name, "no place")


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("llama", "model.layers.0.self_attn.rotary_emb.inv_freq"),
        ("gpt2", "transformer.h.0.attn.masked_bias"),
        ("gpt2", "h.1.attn.bias"),
        ("gemma3", "vision_tower.vision_model.embeddings.patch_embedding.weight"),
        ("gemma3", "multi_modal_projector.mm_soft_emb_norm.weight"),
    ],
)
def test_tensors_that_are_not_needed(model: str, name: str, tmp_path: Path) -> None:
    open_model(with_tensor(save(model, tmp_path), name)).graph(Shapes(seq=2))


GGUF_TENSORS = [("blk.0.attn_sinks.weight", False), ("blk.2.ffn_up.weight", False), ("rope_freqs.weight", True)]


@pytest.mark.parametrize(("name", "taken"), GGUF_TENSORS)
def test_tensors_of_gguf_files(name: str, taken: bool, tmp_path: Path) -> None:
    to_gguf(save("llama", tmp_path), tmp_path / "right.gguf")
    file = read_gguf(tmp_path / "right.gguf")
    tensors = {**file.tensors, name: np.ones(8, np.float32)}
    write_gguf(tmp_path / "more.gguf", file.metadata, tensors)
    if taken:
        open_model(tmp_path / "more.gguf")
    else:
        refused(tmp_path / "more.gguf", "RLX702", name)


# -- the last layer's matrix ---------------------------------------------------------------------------------------
def test_a_tied_model_does_not_read_lm_head(tmp_path: Path) -> None:
    """As transformers: the settings say that the table is used."""
    save("llama tied, linear", tmp_path)
    tensors = load_file(tmp_path / "model.safetensors")
    save_file({**tensors, "lm_head.weight": tensors["model.embed_tokens.weight"] + 1}, tmp_path / "model.safetensors")
    assert "output" not in open_model(tmp_path).source.weights


def test_an_untied_model_without_lm_head(tmp_path: Path) -> None:
    save("llama", tmp_path)
    tensors = load_file(tmp_path / "model.safetensors")
    save_file({name: array for name, array in tensors.items() if name != "lm_head.weight"}, tmp_path / "model.safetensors")
    refused(tmp_path, "RLX703", "lm_head.weight")


def test_dense_weights_that_products_read_stay_in_the_file(tmp_path: Path) -> None:
    save("llama", tmp_path)
    running = Running.of(None, tmp_path)
    model = running.model
    running.fresh(1)
    running.feed(running.prefill, [[3, 4, 5]], [0], [3])
    running.feed(running.decode, [[6]], [3], [1])
    assert running.prefill._values.keys() == running.decode._values.keys()
    assert all(running.decode._values[name] is value for name, value in running.prefill._values.items())
    entries = {name: entry for name, entry in model.session.entries.items() if entry.kind == "param"}
    stored = load_file(tmp_path / "model.safetensors")
    query = "blk.0.attn_q"
    assert is_mapped(entries[query].array) and not is_mapped(entries["token_embd"].array)
    assert model.session.param(query).tobytes() == stored["model.layers.0.self_attn.q_proj.weight"].tobytes()
    assert model.session.param("token_embd").tobytes() == stored["model.embed_tokens.weight"].tobytes()


@pytest.mark.parametrize("name", ["adapter_config.json", "adapter_model.safetensors", "adapter_model.bin"])
def test_an_adapter_beside_a_model_is_never_ignored(name: str, tmp_path: Path) -> None:
    """transformers applies it, if peft is installed."""
    save("llama", tmp_path)
    if name == "adapter_model.safetensors":
        save_file({"base_model.model.model.norm.lora_A.weight": np.ones((1, 1), np.float32)}, tmp_path / name)
    else:
        (tmp_path / name).write_text("{}")
    refused(tmp_path, "RLX702", "LoRA adapter", name, "beside its model", "merge_and_unload")
    to_gguf(save("llama", tmp_path / "other"), tmp_path / "model.gguf")
    for left in ("config.json", "model.safetensors"):
        (tmp_path / left).unlink()
    refused(tmp_path, "RLX702", "LoRA adapter", name, "beside its model", "merge_and_unload")


@pytest.mark.parametrize(
    ("kind", "word"), [("adapter", "LoRA adapter"), ("mmproj", "images"), ("imatrix", "importance"), ("x", "type 'x'")]
)
@pytest.mark.parametrize("whole", [True, False], ids=["with a model's tensors", "with its own"])
def test_a_gguf_file_that_is_no_model_says_what_it_is(kind: str, word: str, whole: bool, tmp_path: Path) -> None:
    to_gguf(save("llama", tmp_path / "hf"), tmp_path / "model.gguf")
    read, path = read_gguf(tmp_path / "model.gguf"), tmp_path / "file.gguf"
    lora = {"blk.0.attn_q.weight.lora_a": np.zeros((8, 64), np.float32)}
    metadata = read.metadata if whole else {"general.architecture": "llama"}
    write_gguf(path, {**metadata, "general.type": kind}, read.tensors if whole else lora)
    refused(path, "RLX702", word, "not a model", f"general.type is '{kind}'")
    write_gguf(path, {**read.metadata, "general.type": "model"}, read.tensors)
    assert rlx.load_model(path).config.layers == 2


TOKENIZERS = {
    "tokenizer.model": "sentencepiece",
    "tekken.json": "convert_tekken_tokenizer",
    "vocab.json": "vocab.json and merges.txt",
    "vocab.txt": "from vocab.txt",
    "": "token ids",
}


@pytest.mark.parametrize("name", TOKENIZERS)
def test_a_folder_without_tokenizer_json(name: str, tmp_path: Path) -> None:
    """Ids go in and come out; a text says what the folder has, and how to convert it."""
    save("llama", tmp_path)
    if name:
        (tmp_path / name).write_bytes(b"\x0a\x05\x0a\x01a")
    model = rlx.load_model(tmp_path)
    found = model.generate([3, 4], max_tokens=3, ignore_eos=True)
    ids = torch.tensor([[3, 4]])
    with torch.no_grad():
        for _ in range(3):
            ids = torch.cat([ids, reference("llama")(ids).logits[:, -1:].argmax(-1)], 1)
    assert list(found.ids) == ids[0, 2:].tolist() and found.text == ""
    calls = [
        lambda: model.generate("ab"),
        lambda: model.chat("ab"),
        lambda: model.tokenizer.decode([1]),
        lambda: model.generate([3, 4], stop="x", max_tokens=1),
        lambda: model.generate([3, 4], grammar={"regex": "a"}, max_tokens=1),
    ]
    for call in calls:
        with pytest.raises(RlxError) as raised:
            call()
        assert raised.value.code == "RLX703" and "no tokenizer.json" in str(raised.value), str(raised.value)
        assert (not name or name in str(raised.value)) and TOKENIZERS[name] in str(raised.value.fix)


def test_the_conversions_that_errors_name_work(tmp_path: Path) -> None:
    """vocab.json with merges.txt, vocab.txt, and tekken.json; tokenizer.model needs a package that is not installed here."""
    merges = {"gpt2": ("GPT2Config", {"vocab.json": json.dumps({"a": 0, "b": 1, "ab": 2}), "merges.txt": "a b\n"})}
    words = {"bert": ("BertConfig", {"vocab.txt": "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nb\nab\n"})}
    for kind, (config, files) in (merges | words).items():
        folder = tmp_path / kind
        getattr(transformers, config)().save_pretrained(folder)
        for name, text in files.items():
            (folder / name).write_text(text)
        assert ".from_pretrained(folder).save_pretrained(folder)" in str(MissingTokenizer.of(folder).fix)
        transformers.AutoTokenizer.from_pretrained(folder).save_pretrained(folder)
        tokenizer = folder_tokenizer(folder)
        assert tokenizer.decode(tokenizer.encode("ab"), special=False).strip() == "ab"
    tekken = {
        "config": {
            "pattern": "[^\\n]+|\\n", "num_vocab_tokens": 257, "default_vocab_size": 260, "default_num_special_tokens": 3,
            "version": "v3",
        },
        "vocab": [
            {"rank": rank, "token_bytes": base64.b64encode(piece).decode(), "token_str": None}
            for rank, piece in enumerate([*(bytes([byte]) for byte in range(256)), b"ab"])
        ],
        "special_tokens": [
            {"rank": rank, "token_str": text, "is_control": True} for rank, text in enumerate(["<unk>", "<s>", "</s>"])
        ],
    }  # fmt: skip
    (tmp_path / "tekken.json").write_text(json.dumps(tekken))
    from transformers.integrations.mistral import convert_tekken_tokenizer

    convert_tekken_tokenizer(str(tmp_path / "tekken.json")).save_pretrained(tmp_path)
    assert folder_tokenizer(tmp_path).encode("abc", add_special=False) == [3 + 256, 3 + ord("c")]
