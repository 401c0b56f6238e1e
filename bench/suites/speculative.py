"""Speculative decoding beside plain decoding of the same model: the same greedy tokens, in less time if drafts are good enough.

- SmolLM2 with `LookupDrafter`, on texts that repeat what they were given: one is quoted word for word, one is rewritten with another name.
- Llamas with random weights and a draft model that *by construction* agrees with them often: its layers are the target's first, and the
  target's others add little (`gguf_files.draft_pair`). This measures the mechanics: what a round costs beside plain decoding, at some share
  of accepted tokens. It says nothing about how often the draft of a trained model is right.

The prompt lies in the cache for both. Below each table: how many tokens were accepted, and the ratio by processor time, which is what
counts where others use the machine.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from bench.harness import Contender, Settings, Unavailable, Workload
from bench.models import gguf_files

OURS, PLAIN = "rlx", "plain decoding"
TOKENS = 96
CONTEXT = 1024
PAIRS = (("530M", "Q4_K_M", 0.01), ("530M", "Q8_0", 0.01), ("530M", "Q4_K_M", 0.05))
QUICK_PAIRS = (("254M", "Q8_0", 0.01),)
DRAFT_LAYERS = 1
TEXT = (
    "The lighthouse at Corran Point was built in 1871, after three ships were lost in one winter. It is a round tower of granite, forty "
    "metres high, with walls two metres thick at the base. For ninety years its lamp burned oil that was carried up by hand, two hundred "
    "and eleven steps, every evening. The keepers wrote down the weather four times a day, and their books are kept in the town library. "
    "In 1961 the lamp was changed to electric light, and in 1988 the last keeper went home. Today the tower is open to visitors from May "
    "to September."
)
QUOTED = f"{TEXT}\n\nThe same text once more, word for word:\n\nThe lighthouse at Corran Point"
REWRITTEN = f"Rewrite this text, but change the name Corran Point to Dunmore Head. Change nothing else.\n\n{TEXT}"


def workloads(settings: Settings) -> Iterator[Workload]:
    """Texts of SmolLM2, then pairs of models."""
    try:
        yield from _lookup_workloads()
    except Unavailable as reason:
        print(f"  SmolLM2: {reason}\n", file=sys.stderr)
    for size, mixture, share in QUICK_PAIRS if settings.quick else PAIRS:
        race = _model_race(size, mixture, share)
        yield race.workload(f"{size} {mixture} with a draft of {DRAFT_LAYERS} layer, the others x {share:g}")
        race.tell()


def _lookup_workloads() -> Iterator[Workload]:
    from rlx.generate import Engine, LookupDrafter
    from rlx.generate.template import chat_ids
    from rlx.models.model import open_model

    model = open_model(gguf_files.smollm2_file())
    engine, drafting = (Engine(model, context=CONTEXT, draft=draft) for draft in (None, LookupDrafter()))
    chat = chat_ids(model.tokenizer, model.chat_template, [{"role": "user", "content": REWRITTEN}])
    for name, prompt in (("quoting a text", engine.encode(QUOTED)), ("rewriting a text", chat)):
        race = _Race(engine, drafting, prompt)
        yield race.workload(f"SmolLM2-135M Q4_1 with lookup, {name}")
        race.tell()


def _model_race(size: str, mixture: str, share: float) -> _Race:
    from rlx.generate import Engine, ModelDrafter
    from rlx.models.model import open_model

    target, draft = (open_model(path) for path in gguf_files.draft_pair(size, mixture, DRAFT_LAYERS, share))
    prompt = np.random.default_rng(1).integers(300, 30000, 64).tolist()
    drafter = ModelDrafter(draft, target, capacity=CONTEXT)
    return _Race(Engine(target, context=CONTEXT), Engine(target, context=CONTEXT, draft=drafter), prompt)


@dataclass
class _Race:
    """An engine without and one with a drafter on one prompt."""

    engine: Any
    drafting: Any
    prompt: list[int]
    last: dict[str, Any] = field(default_factory=dict)  # generations, by contender
    processor: dict[str, float] = field(default_factory=dict)  # the least processor time of one, in seconds

    def workload(self, name: str) -> Workload:
        """Plain decoding is the peer: the ratio is what speculation gives. A token that differs is a wrong result."""
        for engine in (self.engine, self.drafting):
            self._generate("warm", engine)  # the prompt is in the cache from now on: all see the same
        return Workload(
            f"{name}, {TOKENS} tokens",
            flops=2.0
            * self.engine.model.config.vocab_size
            * self.engine.model.config.width
            * TOKENS,  # of the head alone: a lower bound
            bytes_from_memory=0.0,
            reference=lambda: self._generate("reference", self.engine),
            contenders=[
                (each, partial(self._contender, each, engine)) for each, engine in ((OURS, self.drafting), (PLAIN, self.engine))
            ],
            rate="tokens/s",
            tokens=TOKENS,
            tolerance=0.0,
        )

    def tell(self) -> None:
        """How the drafts fared."""
        found = self.last[OURS].speculation
        told = f"{found.accepted} of {found.drafted} drafted tokens accepted ({found.share:.0%}), {found.rounds} rounds"
        print(f"  {told}; by processor time {self.processor[PLAIN] / self.processor[OURS]:.2f} x\n", file=sys.stderr)

    def _contender(self, name: str, engine: Any) -> Contender:
        return Contender(name, lambda: self._generate(name, engine), lambda: np.array(self.last[name].ids))

    def _generate(self, name: str, engine: Any) -> np.ndarray:
        begun = time.process_time()
        self.last[name] = engine.generate(self.prompt, temperature=0.0, max_tokens=TOKENS, ignore_eos=True)
        self.processor[name] = min(self.processor.get(name, math.inf), time.process_time() - begun)
        return np.array(self.last[name].ids)
