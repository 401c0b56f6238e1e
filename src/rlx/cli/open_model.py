"""Shared by the model commands: opening a model, its engine, its sampling, and the line about speed."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from rlx.cli.progress import Bars
from rlx.core.counted import counted
from rlx.generate.api import LanguageModel, load_model
from rlx.generate.drafters import Drafter, HeadDrafter, LookupDrafter, ModelDrafter
from rlx.generate.engine import Engine
from rlx.generate.engine.core import check_overflow
from rlx.generate.results import Generation, Timings
from rlx.generate.sampling_settings import Sampling
from rlx.hub import find_model
from rlx.runtime.threads import set_threads


@dataclass
class CommandSettings:
    """The options shared by the model commands."""

    threads: int | None = None
    context: int | None = None
    exact: bool = False
    draft: str | None = None
    draft_tokens: int | None = None
    overflow: str = "error"
    sampling: dict[str, Any] = field(default_factory=dict)  # options that were passed; others keep the model's defaults
    device: str = "cpu"


def open_model(name: str, settings: CommandSettings, bars: Bars | None = None) -> LanguageModel:
    """A model by its path, or by the name of an installed one."""
    if settings.threads is not None:
        set_threads(settings.threads)
    mode = "exact" if settings.exact else "fast"
    return load_model(find_model(name), device=settings.device, progress=bars, quant_mode=mode)


def open_engine(name: str, settings: CommandSettings, bars: Bars) -> Engine:
    """Its engine. Invalid settings are rejected before anything is read; nothing is compiled yet."""
    Sampling().with_settings(**settings.sampling)
    check_overflow(settings.overflow)
    model = open_model(name, settings, bars)
    return Engine(model, context=settings.context, draft=_drafter(model, settings, bars), draft_tokens=settings.draft_tokens)


def _drafter(model: LanguageModel, settings: CommandSettings, bars: Bars) -> Drafter | None:
    match settings.draft:
        case None:
            return None
        case "lookup":
            return LookupDrafter()
        case "head":
            return HeadDrafter(model, capacity=settings.context)
        case name:
            return ModelDrafter(open_model(name, settings, bars), model)


@dataclass(frozen=True)
class Start:
    """Seconds since the command began: when the prompt was handed in, and when all was compiled."""

    asked: float = 0.0
    ready: float = 0.0

    def first_token(self, times: Timings) -> float:
        """When the first token was there."""
        return self.asked + times.first_token

    def loading(self, times: Timings) -> float:
        """What passed before the prompt ran; that may be before all is compiled."""
        return min(self.ready, self.first_token(times) - times.prefill)


def speed_line(found: Generation, settings: CommandSettings, start: Start | None = None) -> str:
    """The speed, in one line; the first token counts from the start of the command if there is one."""
    times, parts = found.timings, []
    reused = f" ({found.reused_tokens} reused)" if found.reused_tokens else ""
    parts.append(f"{counted(found.prompt_tokens, 'prompt token')}{reused}, {times.prefill_rate:.0f} tokens/s")
    rate = f", {times.decode_rate:.1f} tokens/s" if times.decoded_tokens else ""
    parts.append(f"{counted(len(found.ids), 'token')}{rate}")
    if found.ids:
        before = f" ({start.loading(times):.2f} s loading)" if start else ""
        parts.append(f"first token after {(start or Start()).first_token(times):.2f} s{before}")
    if found.speculation is not None:
        parts.append(f"{found.speculation.accepted} of {found.speculation.drafted} drafted tokens accepted")
    if settings.exact:
        parts.append("exact mode")
    if found.finish != "stop":
        parts.append(f"ended: {found.finish}")
    return " · ".join(parts)


def as_json(found: Generation, start: Start) -> dict[str, Any]:
    """A generation as plain data."""
    plain, times = asdict(found), found.timings
    plain["timings"] |= {
        "loading": start.loading(times),
        "first_token": start.first_token(times),
        "prefill_rate": times.prefill_rate,
        "decode_rate": times.decode_rate,
    }
    return plain
