"""The kinds of files the fuzzer knows: how a whole one is made, how it is damaged, and what a user does with it."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

import rlx
from rlx.core.dim import evaluate
from rlx.core.errors import RlxError
from rlx.formats.gguf import read_gguf
from rlx.formats.safetensors import read_metadata, read_safetensors
from rlx.formats.tokenizer import Tokenizer, folder_tokenizer
from rlx.generate.template import chat_ids
from tests.fuzz import file_mutation as mutation
from tests.fuzz import file_seeds as seeds

TEXTS = ("", "abc the cab", " the  end\n", "é∀😀<s></s>", "x" * 200)
MOST_ELEMENTS = 1 << 20  # of inputs that are made for a damaged module


class UseError(Exception):
    """An error of RLX after a file was taken: it speaks of what the user did, and need not name the file."""


@dataclass(frozen=True)
class Kind:
    """A kind of file. `make` gives the path that a user would name; `damage` changes what lies there; `use` opens and uses it."""

    name: str
    make: Callable[[Path], Path]
    damage: Callable[[Path, random.Random], None]
    use: Callable[[Path], None]


# -- models ----------------------------------------------------------------------------------------------------------
def use_model(path: Path) -> None:
    """Open it, look at it, read and write text with its tokenizer, and let it give one token or one vector."""
    from rich.console import Console

    from rlx.cli.inspect_models import _facts, _tensors

    model = rlx.load_model(path)
    use_tokenizer(model.tokenizer)
    console = Console(file=io.StringIO())
    console.print(str(_facts(model)), str(_tensors(model)), markup=False)
    with after_opening():
        if model.family.embeds:
            model.embed("abc the")
        else:
            model.generate("abc the", max_tokens=1)


def use_tokenizer(tokenizer: Tokenizer) -> None:
    """Text to ids and back, with and without what is special; a conversation by its template."""
    for text in TEXTS:
        for special in (False, True):
            ids = tokenizer.encode(text, special=special)
            tokenizer.decode(ids, special=special)
    list(tokenizer.stream(range(tokenizer.vocabulary), special=True))
    with after_opening():
        chat_ids(tokenizer, tokenizer.chat_template, [{"role": "user", "content": "abc <s>"}])


@contextmanager
def after_opening() -> Iterator[None]:
    """RLX's errors inside are about the use, where their codes say so: of sizes, runs, prompts and templates."""
    try:
        yield
    except RlxError as error:
        if error.code[:4] in ("RLX2", "RLX5", "RLX9"):
            raise UseError(str(error)) from error
        raise


def use_tensors(path: Path) -> None:
    """Read every tensor of a GGUF file that is no model."""
    for tensor in read_gguf(path).tensors.values():
        tensor.raw()
        if tensor.kind not in _NOT_COMPUTED:
            tensor.dequantized()


_NOT_COMPUTED = {"gguf_q8k", "gguf_tq10", "gguf_tq20"}


def use_safetensors(path: Path) -> None:
    """Read every tensor."""
    read_metadata(path)
    for tensor in read_safetensors(path).values():
        tensor.dequantized()


def damage_folder(folder: Path, chance: random.Random, names: tuple[str, ...]) -> None:
    """One of its JSON files, or its tensors' header."""
    path = folder / chance.choice(names)
    if path.suffix == ".safetensors":
        path.write_bytes(mutation.damaged_safetensors(path.read_bytes(), chance))
    else:
        mutation.damaged_json(path, chance)


def damage_safetensors(path: Path, chance: random.Random) -> None:
    path.write_bytes(mutation.damaged_safetensors(path.read_bytes(), chance))


def damage_tokenizer(folder: Path, chance: random.Random) -> None:
    mutation.damaged_json(folder / chance.choice(("tokenizer.json",) * 4 + ("tokenizer_config.json",)), chance)


# -- RLX's own -------------------------------------------------------------------------------------------------------
def use_module(path: Path) -> None:
    """Load, print, and run on the reference what is small at its smallest sizes."""
    module = rlx.load(path)
    str(module)
    graph = module.as_graph()
    if graph is None:
        return
    sizes = {name: symbol.minimum for name, symbol in graph.symbols.items()}
    with after_opening():
        if sum(evaluate(shape.num_elements, sizes) for node in graph.nodes for shape in node.results) > MOST_ELEMENTS:
            return
        exe = rlx.compile(module, "reference")
        for name, node in graph.params.items():
            exe.set_param(name, _zeros(node.shape, sizes))
        exe.run({name: _zeros(node.shape, sizes) for name, node in graph.inputs.items()})


def _zeros(shape: Any, sizes: dict[str, int]) -> Any:
    return np.zeros([evaluate(size, sizes) for size in shape.dims], shape.dtype.numpy)


def damage_rlx_file(path: Path, chance: random.Random) -> None:
    """Any bytes, or content that is sealed again; native code is not changed, for it is trusted as a program is."""
    data = path.read_bytes()
    if chance.random() < 0.3:
        path.write_bytes(mutation.damaged_bytes(data, chance, 200))
    else:
        path.write_bytes(mutation.resealed(data, chance))


def use_executable(path: Path) -> None:
    """Look into it and load it. One whose content was changed and sealed again is a program of another author: it is not run."""
    from rich.console import Console

    from rlx.cli.inspect_models import inspect_file

    inspect_file(Console(file=io.StringIO()), path, None, as_data=False)
    exe = rlx.load_executable(path)
    str(exe.report)


@cache
def training() -> Any:
    return seeds.training()


def use_checkpoint(path: Path) -> None:
    """Resume from it and go on by one step."""
    from rlx.train.checkpoints import Checkpoints

    made = training()
    made.load(path)
    made.step(seeds.batch())
    Checkpoints(path.parent).resume(made, {"training.steps": 4, "model.width": 5})


def damage_checkpoint(path: Path, chance: random.Random) -> None:
    if chance.random() < 0.4:
        mutation.resealed_checkpoint(path, chance)
        return
    path.write_bytes(mutation.damaged_safetensors(path.read_bytes(), chance))


# -- small ones ------------------------------------------------------------------------------------------------------
def make_vocabulary(folder: Path) -> Path:
    from rlx.train.vocabulary import Vocabulary

    Vocabulary.learn(b"the cat the dog the end " * 5, 270).save(folder / "vocabulary.json")
    return folder / "vocabulary.json"


def use_vocabulary(path: Path) -> None:
    from rlx.train.vocabulary import Vocabulary

    found = Vocabulary.load(path)
    found.decode(found.encode(b"the cat"))


def make_profile(folder: Path) -> Path:
    path = folder / "p.rlx.toml"
    path.write_text('quant_mode = "exact"\nskip = ["fuse attention"]\nfold_elements = 10\nthreads = 0\nprecision = "always_f32"\n')
    return path


def damage_text(path: Path, chance: random.Random) -> None:
    from tests.fuzz.mutation import mutated

    path.write_bytes(mutated(path.read_text(), chance).encode("utf-8", "surrogatepass"))


def use_profile(path: Path) -> None:
    rlx.models.Profile.read(path).options()


def make_metrics(folder: Path) -> Path:
    path = folder / "metrics.jsonl"
    lines = [{"step": step, "loss": 2.0 / step, "validation_loss": 2.5, "nats_per_byte": 1.0} for step in (1, 2, 3)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def use_metrics(path: Path) -> None:
    from rlx.train.step import MetricsLog, read_metrics

    read_metrics(path)
    with MetricsLog(path, 2) as log:
        log.add(step=3, loss=1.0)


def make_safetensors(folder: Path) -> Path:
    from rlx.formats.safetensors import write_safetensors

    kinds = [np.float32, np.float16, np.float64, np.int8, np.int64, np.uint16, np.bool_]
    tensors = {f"{np.dtype(kind).name} {n}": np.ones((2, n), kind) for n, kind in enumerate(kinds)}
    write_safetensors(folder / "t.safetensors", tensors, {"format": "x"})
    return folder / "t.safetensors"


FOLDER_FILES = ("config.json",) * 6 + ("generation_config.json", "tokenizer_config.json", "model.safetensors", "model.safetensors")
ENCODER_FILES = ("config.json",) * 6 + ("modules.json", "1_Pooling/config.json", "model.safetensors", "tokenizer_config.json")
SHARDED_FILES = ("model.safetensors.index.json", "model-00001-of-00002.safetensors")


def _tokenizer(kind: str) -> Kind:
    def use(folder: Path) -> None:
        use_tokenizer(folder_tokenizer(folder))

    return Kind(f"tokenizer {kind}", partial(seeds.tokenizer_json, kind=kind), damage_tokenizer, use)


def _folder(name: str, files: tuple[str, ...] = FOLDER_FILES) -> Kind:
    return Kind(f"folder of {name}", partial(seeds.hf_folder, name=name), partial(damage_folder, names=files), use_model)


KINDS: tuple[Kind, ...] = (
    Kind("gguf scores", lambda f: seeds.decoder_gguf(f, "llama", seeds.scored_vocabulary()), mutation.damaged_gguf, use_model),
    Kind("safetensors", make_safetensors, damage_safetensors, use_safetensors),
    Kind("executable", seeds.executable_file, damage_rlx_file, use_executable),
    Kind("module", partial(seeds.module_file, level="mir"), damage_rlx_file, use_module),
    Kind("checkpoint", seeds.checkpoint_file, damage_checkpoint, use_checkpoint),
    _tokenizer("bytes"),
    _tokenizer("scores"),
    _folder("llama"),
    Kind("gguf merges", lambda f: seeds.decoder_gguf(f, "gpt2", seeds.merged_vocabulary()), mutation.damaged_gguf, use_model),
    Kind("gguf words", seeds.encoder_gguf, mutation.damaged_gguf, use_model),
    Kind("gguf types", seeds.typed_gguf, mutation.damaged_gguf, use_tensors),
    Kind("gguf mamba", seeds.recurrent_gguf, mutation.damaged_gguf, use_model),
    Kind("module lir", partial(seeds.module_file, level="lir"), damage_rlx_file, use_module),
    _tokenizer("words"),
    _tokenizer("unigram"),
    *(_folder(name) for name in (*seeds.DECODERS[1:], "mamba", "qwen35")),
    *(_folder(name, ENCODER_FILES) for name in ("bert", "modernbert")),
    Kind("sharded folder", seeds.sharded_folder, partial(damage_folder, names=SHARDED_FILES), use_model),
    Kind("vocabulary", make_vocabulary, mutation.damaged_json, use_vocabulary),
    Kind("profile", make_profile, damage_text, use_profile),
    Kind("metrics", make_metrics, damage_text, use_metrics),
)
