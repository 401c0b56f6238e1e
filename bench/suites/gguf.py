"""Whole models of GGUF files beside llama.cpp: prefill of 128 and 512 tokens, and one token after 128; logits of the last token alone.

Both read the same file on the same number of threads, each as it does by default (llama.cpp with its cache in f16). The files are
SmolLM2 and random Llamas, mixtures and for every type a file of it alone; `bench.models.gguf_files` writes those once.
Of a decoding step the share of the limit is that of the read loop.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from bench.harness import Contender, Seconds, Settings, Unavailable, Workload
from bench.llama_bench import LlamaBench
from bench.llama_cpp import LlamaCpp, built_for, lacking, system_info
from bench.models import gguf_files
from rlx.backends.cpu.target import Target, instruction_sets

DEPTH = 128  # tokens before the decoded one
PROMPTS = (128, 512)
CAPACITY = 1024
QUICK = (("254M", "Q4_K_M"), ("254M", "Q8_0"))
SIZES = ("254M", "530M", "262K")
MIXTURES = ("Q4_K_M", "Q8_0", "Q4_0", "F16")


def workloads(settings: Settings) -> Iterator[Workload]:
    """Three of each file."""
    peer = print_peer() if not settings.llama_bench else "best peer"
    names = QUICK if settings.quick else [(size, mixture) for size in SIZES for mixture in MIXTURES]
    try:
        files = [("SmolLM2-135M Q4_1", gguf_files.smollm2_file())]
    except Unavailable as reason:
        print(f"  SmolLM2: {reason}\n")
        files = []
    for size, mixture in names:
        files.append((f"{size} {mixture}", gguf_files.model_file(size, mixture)))
    if not settings.quick:
        files += [(f"254M pure {kind}", gguf_files.model_file("254M", f"pure {kind}")) for kind in gguf_files.PURE]
    for name, path in files:
        pair = Pair(path, settings, peer)
        yield from pair.workloads(name)
        pair.close()


def print_peer() -> str:
    """What the CPU has and what llama.cpp was built for; returns what to call it: a build that lacks something is not the best peer."""
    sets = instruction_sets(Target.host())
    print(f"CPU: {', '.join(sets)}")
    try:
        info = system_info()
    except Unavailable as reason:
        print(f"llama.cpp: {reason}\n", flush=True)
        return "best peer"
    missing = lacking(info, sets)
    built = f"; built without {', '.join(missing)}: --llama-bench takes a native build" if missing else ""
    print(f"llama.cpp: {info}{built}\n", flush=True)
    return f"llama.cpp for {built_for(info)}" if missing else "best peer"


def weight_counts(model: Any) -> tuple[float, float, float]:
    """Weights of the layers' products, of the head, and the bytes of all: what a token must read."""
    tensors = {name: tensor for name, tensor in model.source.tensors.items() if len(tensor.dims) == 2}
    head = "output.weight" if "output.weight" in tensors else "token_embd.weight"
    count = sum(np.prod(tensor.dims) for name, tensor in tensors.items() if name.startswith("blk."))
    read = sum(tensor.nbytes for name, tensor in tensors.items() if name.startswith("blk.") or name == head)
    return float(count), float(np.prod(tensors[head].dims)), float(read)


class Pair:
    """One file in both, loaded when first asked for."""

    def __init__(self, path: Path, settings: Settings, peer: str) -> None:
        self.path, self.threads, self.native, self.peer = path, settings.threads, settings.llama_bench, peer
        self.tokens = np.random.default_rng(1).integers(300, 30000, max(PROMPTS) + 1).astype(np.int32)

    @cached_property
    def ours(self) -> Any:
        from rlx.generate.runner import Runner
        from rlx.models.model import open_model

        return Runner(open_model(self.path), capacity=CAPACITY)

    @cached_property
    def theirs(self) -> LlamaCpp:
        return LlamaCpp(self.path, CAPACITY, self.threads)

    def close(self) -> None:
        """Drop both: the next file needs the room."""
        if "theirs" in self.__dict__:
            self.theirs.close()
        self.__dict__.clear()

    def workloads(self, name: str) -> Iterator[Workload]:
        """Decode first: it is what people feel."""
        yield self.workload(f"{name}, decode at {DEPTH}", self.tokens[DEPTH : DEPTH + 1], DEPTH)
        for length in PROMPTS:
            yield self.workload(f"{name}, prefill {length}", self.tokens[:length], 0)

    def workload(self, name: str, tokens: np.ndarray, start: int) -> Workload:
        """So many tokens behind `start` others."""
        weights, head, read = weight_counts(self.ours.model)
        return Workload(
            name,
            flops=2.0 * (weights * len(tokens) + head),
            bytes_from_memory=read if len(tokens) == 1 else 0.0,
            reference=lambda: self._reference(tokens, start),
            contenders=[
                ("rlx", lambda: self._rlx(tokens, start)),
                ("llama.cpp", lambda: self._llama_bench(tokens, start) if self.native else self._llama_cpp(tokens, start)),
            ],
            arithmetic="f32" if "F16" in name else "int8",
            peer=self.peer,
            rate="tokens/s",
            tokens=len(tokens),
            tolerance=0.1,  # both round activations to 8 bits, each in its own blocks, and layers of random weights magnify it
        )

    def _rlx(self, tokens: np.ndarray, start: int) -> Contender:
        runner, ids, last = self.ours, tokens.tolist(), []

        def call() -> None:
            runner.truncate(0, start)
            last[:] = [runner.decode(ids) if len(ids) == 1 else runner.prefill([ids])]

        runner.truncate(0, 0)
        if start:
            runner.prefill([self.tokens[:start].tolist()])
        return Contender("rlx", call, lambda: last[0][0])

    def _reference(self, tokens: np.ndarray, start: int) -> np.ndarray:
        """llama.cpp's logits; a native program gives none, so without the package they are ours and check nothing."""
        try:
            return self._llama_cpp(tokens, start).result()
        except Unavailable:
            if not self.native:
                raise
            ours = self._rlx(tokens, start)
            ours.call()
            return ours.result()

    def _llama_bench(self, tokens: np.ndarray, start: int) -> Contender:
        bench = LlamaBench(self.native, self.path, self.threads)
        return Contender("llama.cpp", lambda: Seconds(bench.seconds(len(tokens), start)), lambda: self._reference(tokens, start))

    def _llama_cpp(self, tokens: np.ndarray, start: int) -> Contender:
        theirs = self.theirs
        if start:
            theirs.run(self.tokens[:start], 0)
        theirs.run(tokens, start)
        return Contender("llama.cpp", lambda: theirs.run(tokens, start), theirs.logits)
