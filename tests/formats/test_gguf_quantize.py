"""Files in other types: which tensor gets which, that everything else is passed on, that llama.cpp reads them, and what is refused."""

import json
import math
from pathlib import Path

import gguf
import numpy as np
import pytest

from rlx.backends.cpu.run.unpack import unpack_rows
from rlx.core.errors import RlxError
from rlx.core.quant_scheme import QuantScheme
from rlx.formats.gguf import read_gguf
from rlx.formats.gguf_recipes import RECIPES, ModelFacts, SourceTensor, quantize_file, quantize_gguf, recipe_of, types_of
from rlx.formats.gguf_tokenizer import gguf_tokenizer
from rlx.formats.gguf_writer import QuantizedTensor, write_gguf
from rlx.layouts.gguf_blocks import ELEMENTS, dequantize_rows, random_rows
from tests.formats.quantizer_samples import smollm2
from tests.formats.recipe_models import MODELS, grouped, model_tensors

# What llama.cpp (llama-cpp-python 0.3.36) gives each tensor: scripts/record_recipe_types.py
RECORDED = json.loads(Path(__file__).with_name("recipe_types.json").read_text())


# -- recipes -------------------------------------------------------------------------------------------------------
pytestmark = pytest.mark.filterwarnings("ignore:.* quantized already")  # tests/cli/test_quantize.py is about the warning


@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.parametrize("model", MODELS)
def test_tensors_get_the_types_that_llama_cpp_gives_them(model, recipe):
    metadata, tensors = model_tensors(**MODELS[model])
    found = types_of(RECIPES[recipe], tensors, ModelFacts.of(metadata))
    assert grouped({name: kind or "F32" for name, kind in found.items()}) == RECORDED[model][recipe]


def test_file_types_have_the_numbers_of_the_format():
    named = {kind.name.removeprefix("MOSTLY_").removeprefix("ALL_").lower(): int(kind) for kind in gguf.LlamaFileType}
    assert {recipe.name: recipe.file_type for recipe in RECIPES.values()} == {name: named[name] for name in RECIPES}


def test_pure_is_one_type_and_rows_that_do_not_fit_fall_back():
    tensors = {
        "token_embd.weight": (10, 256),
        "blk.0.attn_v.weight": (8, 288),
        "blk.0.ffn_up.weight": (8, 40),
        "blk.0.attn_norm.weight": (256,),
    }
    found = types_of(recipe_of("Q4_K_M").all_base(), tensors, ModelFacts(layers=1))
    assert found == {
        "token_embd.weight": "Q4_K",
        "blk.0.attn_v.weight": "Q5_0",
        "blk.0.ffn_up.weight": "F16",
        "blk.0.attn_norm.weight": None,
    }


@pytest.mark.parametrize("name", ELEMENTS)
def test_native_unpacking_is_the_formula(name):
    rows = random_rows(name, 5, 512)
    np.testing.assert_array_equal(unpack_rows(QuantScheme.gguf(name), rows), dequantize_rows(name, rows))


# -- files ---------------------------------------------------------------------------------------------------------
def numbers(*dims, seed=0):
    return np.random.default_rng(seed).standard_normal(dims).astype(np.float32)


@pytest.fixture
def source(tmp_path):
    """A small model of many types, with metadata of kinds that Python's own numbers do not tell apart."""
    writer = gguf.GGUFWriter(tmp_path / "m.gguf", "llama")
    writer.add_uint32("llama.block_count", 2)
    writer.add_uint64("x.u64", 7)
    writer.add_int8("x.i8", -3)
    writer.add_float64("x.f64", 0.1)
    writer.add_array("x.lists", [[1, 2], [3]])
    writer.add_token_list([b"a", b"\xff\xfe"])
    writer.add_custom_alignment(64)
    writer.add_tensor("token_embd.weight", numbers(40, 256))
    writer.add_tensor("blk.0.attn_q.weight", numbers(24, 256, seed=1).astype(np.float16))
    writer.add_tensor("blk.0.ffn_down_exps.weight", numbers(3, 16, 512, seed=2))
    writer.add_tensor("blk.0.attn_norm.weight", numbers(256, seed=3).astype(np.float16))
    writer.add_tensor("rope_freqs.weight", numbers(32, seed=4))
    writer.add_tensor("blk.0.positions.weight", np.arange(512, dtype=np.int32).reshape(2, 256))
    packed = gguf.quants.quantize(numbers(8, 256, seed=5), gguf.GGMLQuantizationType.Q8_0)
    writer.add_tensor("blk.1.ffn_up.weight", packed, raw_dtype=gguf.GGMLQuantizationType.Q8_0)
    for step in (writer.write_header_to_file, writer.write_kv_data_to_file, writer.write_tensors_to_file, writer.close):
        step()
    return tmp_path / "m.gguf"


def test_a_file_is_quantized_and_the_rest_is_passed_on(source, tmp_path):
    out = tmp_path / "out.gguf"
    told = []
    changes = quantize_gguf(source, out, "q4_k_s", progress=lambda name, count: told.append((name, count)))
    before, after = gguf.GGUFReader(source), gguf.GGUFReader(out)
    assert (
        [change.name for change in changes]
        == [tensor.name for tensor in before.tensors]
        == [tensor.name for tensor in after.tensors]
    )
    kinds = {tensor.name: tensor.tensor_type.name for tensor in after.tensors}
    assert kinds == {
        "token_embd.weight": "Q6_K",
        "blk.0.attn_q.weight": "Q4_K",
        "blk.0.ffn_down_exps.weight": "Q4_K",
        "blk.0.attn_norm.weight": "F32",
        "rope_freqs.weight": "F32",
        "blk.0.positions.weight": "I32",
        "blk.1.ffn_up.weight": "Q4_K",
    }
    for old, new in zip(before.tensors, after.tensors, strict=True):
        x = gguf.quants.dequantize(np.asarray(old.data), old.tensor_type) if old.tensor_type.name != "I32" else old.data
        y = gguf.quants.dequantize(np.asarray(new.data), new.tensor_type) if new.tensor_type.name != "I32" else new.data
        assert x.shape == y.shape and np.sqrt(((x - y) ** 2.0).mean()) <= 0.1, old.name
    for key in ("x.u64", "x.i8", "x.f64", "x.lists", "tokenizer.ggml.tokens", "llama.block_count"):
        old, new = before.fields[key], after.fields[key]
        assert old.types == new.types and [part.tobytes() for part in old.parts] == [part.tobytes() for part in new.parts], key
    assert after.fields["general.file_type"].contents() == gguf.LlamaFileType.MOSTLY_Q4_K_S
    assert after.fields["general.quantization_version"].contents() == gguf.GGML_QUANT_VERSION
    total = {}
    for name, count in told:
        total[name] = total.get(name, 0) + count
    assert total == {change.name: math.prod(change.dims) for change in changes}


def test_a_split_becomes_one_file(source, tmp_path):
    file = read_gguf(source)
    names = list(file.tensors)
    for number, part in enumerate((names[:3], names[3:])):
        split = {"split.no": np.uint16(number), "split.count": np.uint16(2), "split.tensors.count": np.int32(len(names))}
        metadata = file.metadata if number == 0 else {}
        kept = {key: value for key, value in metadata.items() if not key.startswith("x.") and key != "general.alignment"}
        write_gguf(tmp_path / f"s-{number + 1:05}-of-00002.gguf", {**kept, **split}, {name: file.tensors[name] for name in part})
    quantize_gguf(tmp_path / "s-00001-of-00002.gguf", tmp_path / "one.gguf", "q5_1")
    quantize_gguf(source, tmp_path / "other.gguf", "q5_1")
    one, other = read_gguf(tmp_path / "one.gguf"), read_gguf(tmp_path / "other.gguf")
    assert not [key for key in one.metadata if key.startswith("split.")]
    for name, tensor in other.tensors.items():
        np.testing.assert_array_equal(one.tensor(name).raw(), tensor.raw())


def test_floats_again(source, tmp_path):
    quantize_gguf(source, tmp_path / "f32.gguf", "F32")
    file = read_gguf(tmp_path / "f32.gguf")
    assert {tensor.kind for tensor in file.tensors.values()} == {"f32", "i32"}
    wanted = numbers(24, 256, seed=1).astype(np.float16).astype(np.float32)
    np.testing.assert_array_equal(file.tensor("blk.0.attn_q.weight").array(), wanted)


def test_tensors_of_any_origin(tmp_path):
    """What converts other formats gives rows as it makes them."""
    x, norm = numbers(33, 64), numbers(64)
    tensors = {
        "blk.0.ffn_up.weight": SourceTensor(x.shape, "BF16", lambda start, stop: x[start:stop]),
        "blk.0.ffn_norm.weight": SourceTensor(norm.shape, "BF16", lambda start, stop: norm[None]),
    }
    quantize_file(tensors, {"general.architecture": "llama"}, tmp_path / "m.gguf", recipe_of("q8_0"), ModelFacts(layers=1))
    file = read_gguf(tmp_path / "m.gguf")
    assert file.tensor("blk.0.ffn_up.weight").kind == "gguf_q8_0"
    np.testing.assert_array_equal(file.tensor("blk.0.ffn_norm.weight").array(), norm)
    np.testing.assert_allclose(file.tensor("blk.0.ffn_up.weight").dequantized(), x, atol=0.02)


def test_what_is_refused(source, tmp_path):
    out = tmp_path / "out.gguf"
    with pytest.raises(RlxError, match=r"'q9' is not a type to quantize to\n.*q4_k_m"):
        quantize_gguf(source, out, "q9")
    out.write_bytes(b"mine")
    with pytest.raises(RlxError, match=r"out.gguf exists\n.*--force"):
        quantize_gguf(source, out, "q8_0")
    assert out.read_bytes() == b"mine"
    with pytest.raises(RlxError, match="is the source file"):
        quantize_gguf(source, source, "q8_0", force=True)
    quantize_gguf(source, out, "q8_0", force=True)
    assert read_gguf(out).architecture == "llama"


def test_a_tensor_that_is_not_finite_is_named_and_leaves_no_file(tmp_path):
    x = numbers(4, 256)
    x[2, 7] = np.nan
    write_gguf(tmp_path / "m.gguf", {"general.architecture": "llama"}, {"blk.0.ffn_up.weight": x})
    with pytest.raises(RlxError, match=r"tensor 'blk\.0\.ffn_up\.weight' has nan, Q4_K"):
        quantize_gguf(tmp_path / "m.gguf", tmp_path / "out.gguf", "q4_k_m")
    assert [path.name for path in tmp_path.iterdir()] == ["m.gguf"]


def test_a_type_without_a_quantizer_is_copied_when_it_is_kept(tmp_path):
    rows = random_rows("IQ3_S", 4, 256)
    write_gguf(
        tmp_path / "m.gguf", {"general.architecture": "llama"}, {"x_norm.weight": QuantizedTensor(QuantScheme.gguf("IQ3_S"), rows)}
    )
    quantize_gguf(tmp_path / "m.gguf", tmp_path / "out.gguf", "q8_0")
    np.testing.assert_array_equal(read_gguf(tmp_path / "out.gguf").tensor("x_norm.weight").raw(), rows)


# -- a model, run by llama.cpp ---------------------------------------------------------------------------------------
TEXT = (
    "Photosynthesis is the process by which green plants use sunlight to make their own food. "
    "The capital of France is Paris, and the capital of Italy is Rome. Once upon a time, there was a little girl who lived in"
)


def loss(path):
    """Nats per token that llama.cpp gives to the text, from its tenth token on."""
    library = pytest.importorskip("xllamacpp")
    params = library.CommonParams()
    params.model.path, params.n_ctx, params.n_parallel, params.warmup, params.verbosity = str(path), 128, 1, False, 0
    params.cpuparams.n_threads = 1
    server = library.Server(params)
    ids = [int(number) for number in gguf_tokenizer(read_gguf(path)).encode(TEXT)]
    total = 0.0
    for end in range(10, len(ids), 3):
        answer = server.handle_completions({"prompt": ids[:end], "n_predict": 1, "temperature": 0.0, "n_probs": 5000})
        scores = {entry["id"]: entry["logprob"] for entry in answer["choices"][0]["logprobs"]["content"][0]["top_logprobs"]}
        total -= scores[ids[end]]
    return total / len(range(10, len(ids), 3))


# llama.cpp's own quantizer costs 0.03 (q8_0), 0.37 (q4_k_m) and 0.34 (q2_k) on this text, against 1.30 in f32: so short a text is noisy.
@pytest.mark.parametrize(
    ("recipe", "worse"),
    [("q4_k_m", 0.2), pytest.param("q8_0", 0.05, marks=pytest.mark.long), pytest.param("q2_k", 0.4, marks=pytest.mark.long)],
)
def test_llama_cpp_reads_a_quantized_model(recipe, worse, tmp_path):
    """SmolLM2 comes in Q4_1; that llama.cpp loads it again in other types, and what is lost costs no more than in its own files."""
    quantize_gguf(smollm2(), tmp_path / "m.gguf", recipe)
    assert abs(loss(tmp_path / "m.gguf") - 1.296) < worse
