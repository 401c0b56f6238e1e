"""Special ids of a GGUF's metadata: what a file may say that is wrong, and that its prompts are then llama.cpp's."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import pytest

import rlx
from rlx.formats.gguf import read_gguf
from rlx.formats.gguf_writer import write_gguf
from tests.fuzz.file_seeds import decoder_gguf, merged_vocabulary, scored_vocabulary

PROMPT, COUNT = "abc the", 96


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    makers = {"llama": scored_vocabulary, "gpt2": merged_vocabulary}
    return {kind: decoder_gguf(tmp_path_factory.mktemp(kind), "llama", make()) for kind, make in makers.items()}


def changed(file: Path, folder: Path, **ids: int | None) -> Path:
    """The file with other special ids; None: without."""
    read = read_gguf(file)
    names = {f"tokenizer.ggml.{key}_token_id": value for key, value in ids.items()}
    rest = {name: value for name, value in read.metadata.items() if name not in names}
    path = folder / "changed.gguf"
    write_gguf(path, rest | {name: value for name, value in names.items() if value is not None}, read.tensors)
    return path


def in_llama_cpp(path: Path) -> tuple[str, int]:
    """A greedy text of four tokens, and how many tokens its prompt has."""
    library = pytest.importorskip("xllamacpp")
    params = library.CommonParams()
    params.model.path, params.n_ctx, params.n_parallel, params.warmup, params.verbosity = str(path), 64, 1, False, 0
    params.cpuparams.n_threads = 1
    request = {"prompt": PROMPT, "n_predict": 4, "temperature": 0.0, "cache_prompt": False}
    answer: dict[str, Any] = library.Server(params).handle_completions(request)
    return answer["choices"][0]["text"], answer["usage"]["prompt_tokens"]


@pytest.mark.parametrize("ids", [{}, {"bos": COUNT}, {"bos": 2**32 - 1}, {"bos": None}, {"eos": 2**31}, {"eos": None}], ids=str)
def test_prompts_are_those_of_llama_cpp(files: dict[str, Path], tmp_path: Path, ids: dict[str, int | None]) -> None:
    """Of a SentencePiece vocabulary: its own ids take the place of a wrong one, and of one that is missing."""
    path = changed(files["llama"], tmp_path, **ids)
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        model = rlx.load_model(path)
        found = model.generate(PROMPT, max_tokens=4)
    assert (found.text, found.prompt_tokens) == in_llama_cpp(path)
    assert model.tokenizer.bos == 1 and model.tokenizer.eos == {2}
    said = [str(one.message) for one in heard if "_token_id" in str(one.message)]
    wrong = {key: value for key, value in ids.items() if value is not None}
    assert len(said) == len(wrong)
    for key, value in wrong.items():
        assert f"tokenizer.ggml.{key}_token_id is {value}, the vocabulary has {COUNT} tokens" in said[0]
        assert str(path) in said[0]


@pytest.mark.parametrize("key", ["bos", "eos"])
def test_other_vocabularies_have_no_token_instead(files: dict[str, Path], tmp_path: Path, key: str) -> None:
    """llama.cpp takes id 11 of any vocabulary of merges, whatever token that is."""
    path = changed(files["gpt2"], tmp_path, **{key: COUNT})
    wanted = re.escape(f"tokenizer.ggml.{key}_token_id is {COUNT}, the vocabulary has {COUNT} tokens: none is used")
    with pytest.warns(UserWarning, match=wanted):
        tokenizer = rlx.load_model(path).tokenizer
    assert (tokenizer.bos if key == "bos" else tokenizer.eos or None) is None
