"""A public object shows itself in one short line, however large it is."""

from types import SimpleNamespace

import numpy as np
import pytest

import rlx
from rlx.formats.gguf import read_gguf
from rlx.formats.gguf_writer import write_gguf
from rlx.generate.api import LanguageModel
from rlx.models.source import GgufSource, HfSource
from rlx.train import TokenStream
from tests.generate.tiny import attention_model, byte_tokenizer
from tests.small_llama import random_params, small_llama


@pytest.fixture(scope="module")
def objects(tmp_path_factory):
    module = small_llama(layers=3)
    exe = rlx.compile(module, "reference")
    exe.set_params(random_params(exe.graph))
    tiny = attention_model()
    language = LanguageModel(tiny.source, tiny.family, tiny.config, tiny.session)
    path = tmp_path_factory.mktemp("repr") / "small.gguf"
    write_gguf(path, {"general.architecture": "llama", "list": list(range(3000))}, {"w": np.ones((2, 3), np.float32)})
    file = read_gguf(path)
    jitted = rlx.jit(lambda x: x + x, device="reference")
    jitted(np.ones(3, np.float32))
    g = rlx.Graph("loss")
    g.set_outputs({"loss": g.sum(g.input("x", (8, 4)) @ g.param("w", (4, 2)), axes=(0, 1))})
    training = rlx.train.compile_training(g, "loss", rlx.train.SGD(lr=0.1), device="reference")
    q = rlx.Graph("product")
    q.set_outputs({"y": q.input("x", (8, 4)) @ q.param("w", (4, 2))})
    weights = {"w": np.ones((4, 2), np.float32)}
    calibration = rlx.quant.calibrate(q, [np.ones((8, 4), np.float32)], params=weights, device="reference")
    return SimpleNamespace(
        executable=exe,
        clone=exe.clone(),
        session=exe.session,
        entry=exe.session.entries["embed"],
        graph=exe.graph,
        module=module,
        mir=module.lower() if hasattr(module, "lower") else module,
        lir=rlx.graphs.lower(module, "reference"),
        value=g.constant(1.0),
        model=tiny,
        language=language,
        tokenizer=byte_tokenizer(),
        gguf=file,
        jitted=jitted,
        training=training,
        calibration=calibration,
        source=GgufSource(path, "llama", file.metadata, file.tensors, file=file),
        folder=HfSource(path, "Llama", {}, file.tensors, config={}),
        quantized=rlx.quant.quantize(q, calibration),
        handle=rlx.put(np.ones((100, 100), np.float32)),
        engine=language.engine,
        stream=TokenStream(np.arange(10_000), 2, 4),
        report=exe.report,
        memory=exe.memory,
        shape=rlx.Shape((2, "n")),
        optimizer=rlx.train.SGD(0.1),
    )


NAMES = [
    "executable",
    "clone",
    "session",
    "entry",
    "graph",
    "module",
    "mir",
    "lir",
    "value",
    "model",
    "language",
    "tokenizer",
    "gguf",
    "jitted",
    "training",
    "calibration",
    "source",
    "folder",
    "quantized",
    "handle",
    "engine",
    "stream",
    "report",
    "memory",
    "shape",
    "optimizer",
]


@pytest.mark.parametrize("name", NAMES)
def test_the_repr_is_one_short_line(objects, name) -> None:
    shown = repr(getattr(objects, name))
    assert "\n" not in shown and len(shown) < 400, shown[:1000]


def test_a_models_repr_says_what_it_is(objects) -> None:
    assert repr(objects.language) == "<LanguageModel tiny from 'tiny': 1 layers, width 16, vocabulary 300, context 96>"
