"""llama.cpp, as the package xllamacpp carries it: its C interface through ctypes, so that nothing is timed but its evaluation.

The package's extension exports the interface of libllama. Of the structures of settings, whose fields change from release to release, only
the first three numbers of a context's are touched, and only when their defaults are what they have been for years.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from bench import peers
from bench.harness import Unavailable

_ROOM = 1024  # bytes, more than any of its structures of settings has
_CONTEXT_DEFAULTS = [512, 2048, 512]  # n_ctx, n_batch, n_ubatch
_LOG = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)


class _Settings(ctypes.Structure):
    _fields_ = [("numbers", ctypes.c_uint32 * (_ROOM // 4))]


class _Batch(ctypes.Structure):
    _fields_ = [("count", ctypes.c_int32), ("pointers", ctypes.c_void_p * 6)]


@_LOG
def _silent(_level: int, _text: bytes, _data: int) -> None:
    """Its log is long."""


def system_info() -> str:
    """Which instructions it was built for and found."""
    return " ".join(str(peers.need("xllamacpp").get_system_info()).split())


_BUILT = {
    "avx2": "AVX2",
    "avx512f": "AVX512",
    "avxvnni": "AVX_VNNI",
    "avx512vnni": "AVX512_VNNI",
    "avx512bf16": "AVX512_BF16",
    "amx-int8": "AMX_INT8",
}
"""Instruction sets as LLVM and as llama.cpp's system info name them, those its kernels use."""


def lacking(info: str, sets: Sequence[str]) -> list[str]:
    """What a CPU has and a build, by its system info (`AVX2 = 1 | …`), does not use."""
    used = _used(info)
    wanted = [_BUILT[name] for name in sets if name in _BUILT]
    return [name for name in wanted if name not in used and not (name == "AVX_VNNI" and "AVX512_VNNI" in wanted)]


def built_for(info: str) -> str:
    """The latest instruction set that a build uses."""
    return next((name for name in reversed(_BUILT.values()) if name in _used(info)), "the baseline")


def _used(info: str) -> set[str]:
    return {part.split()[-3] for part in info.split("|") if part.split()[-2:] == ["=", "1"]}


@cache
def _library() -> Any:
    package = peers.need("xllamacpp")
    library = ctypes.CDLL(str(next(Path(package.__file__).parent.glob("xllamacpp*.so"))))
    pointer, number = ctypes.c_void_p, ctypes.c_int32
    signatures: dict[str, tuple[Any, list[Any]]] = {
        "llama_log_set": (None, [_LOG, pointer]),
        "llama_model_default_params": (_Settings, []),
        "llama_context_default_params": (_Settings, []),
        "llama_model_load_from_file": (pointer, [ctypes.c_char_p, _Settings]),
        "llama_init_from_model": (pointer, [pointer, _Settings]),
        "llama_set_n_threads": (None, [pointer, number, number]),
        "llama_get_memory": (pointer, [pointer]),
        "llama_memory_seq_rm": (ctypes.c_bool, [pointer, number, number, number]),
        "llama_batch_get_one": (_Batch, [pointer, number]),
        "llama_decode": (number, [pointer, _Batch]),
        "llama_get_logits_ith": (ctypes.POINTER(ctypes.c_float), [pointer, number]),
        "llama_model_get_vocab": (pointer, [pointer]),
        "llama_vocab_n_tokens": (number, [pointer]),
        "llama_tokenize": (number, [pointer, ctypes.c_char_p, number, pointer, number, ctypes.c_bool, ctypes.c_bool]),
        "llama_free": (None, [pointer]),
        "llama_model_free": (None, [pointer]),
    }
    for name, (result, arguments) in signatures.items():
        if not hasattr(library, name):
            raise Unavailable(f"xllamacpp without {name}")
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    library.llama_log_set(_silent, None)
    return library


class LlamaCpp:
    """A model and a context; `run` evaluates tokens behind the first `start` and leaves the last one's logits."""

    def __init__(self, path: Path, context: int, threads: int) -> None:
        self.library = _library()
        settings = self.library.llama_context_default_params()
        if list(settings.numbers[:3]) != _CONTEXT_DEFAULTS:
            raise Unavailable(f"xllamacpp's context begins with {list(settings.numbers[:3])}, not {_CONTEXT_DEFAULTS}")
        settings.numbers[0] = context
        self.model = self.library.llama_model_load_from_file(str(path).encode(), self.library.llama_model_default_params())
        self.context = self.library.llama_init_from_model(self.model, settings) if self.model else None
        if not self.context:
            raise Unavailable(f"llama.cpp does not load {path.name}")
        self.vocab = self.library.llama_vocab_n_tokens(self.library.llama_model_get_vocab(self.model))
        self.library.llama_set_n_threads(self.context, threads, threads)
        self.memory = self.library.llama_get_memory(self.context)

    def encode(self, text: str) -> np.ndarray:
        """The tokens of a text, i32, with the one it begins with where its model wants that."""
        raw = text.encode()
        tokens = np.empty(4 * len(raw) + 8, np.int32)  # a space may be three tokens, one for each of its bytes
        words = self.library.llama_model_get_vocab(self.model)
        count = self.library.llama_tokenize(words, raw, len(raw), tokens.ctypes.data, len(tokens), True, False)
        if count < 0:
            raise RuntimeError(f"llama_tokenize wants room for {-count} tokens")
        return tokens[:count]

    def run(self, tokens: np.ndarray, start: int) -> None:
        """Tokens i32; what the cache holds beyond `start` is forgotten first."""
        self.library.llama_memory_seq_rm(self.memory, 0, start, -1)
        failed = self.library.llama_decode(self.context, self.library.llama_batch_get_one(tokens.ctypes.data, len(tokens)))
        if failed:
            raise RuntimeError(f"llama_decode gave {failed}")

    def logits(self) -> np.ndarray:
        """Of the last token."""
        return np.ctypeslib.as_array(self.library.llama_get_logits_ith(self.context, -1), (self.vocab,)).copy()

    def close(self) -> None:
        """Give its memory back."""
        self.library.llama_free(self.context)
        self.library.llama_model_free(self.model)
