"""The model commands: run, chat, embed, bench. This file has their options; the other files implement them."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from rlx.cli.starting import starting
from rlx.cli.train import Bars
from rlx.core.errors import RlxError, count_of
from rlx.generate.api import LanguageModel, load_model
from rlx.generate.drafters import Drafter, HeadDrafter, LookupDrafter, ModelDrafter
from rlx.generate.engine import Engine, Stream
from rlx.generate.engine.core import check_overflow
from rlx.generate.results import Generation, Timings
from rlx.generate.sampling_settings import Sampling
from rlx.hub import find_model
from rlx.runtime.threads import set_threads

FORMS = "a GGUF file, a Hugging Face folder, or a name: org/repo, org/repo:Q4_K_M, ollama:name:tag, smollm2, … (docs/models.md)"
Yes = Annotated[
    bool, typer.Option("--yes", "-y", is_eager=True, help="If the model is not on this machine, download it without asking.")
]


def on_this_machine(context: typer.Context, value: Any) -> Any:
    """Checks a model argument (typer callback): offers to download missing models, and returns the names unchanged."""
    if not context.resilient_parsing:
        for name in [value] if isinstance(value, str) else value or ():
            if name not in ("head", "lookup"):  # drafters that are not models
                from rlx.cli.pull import offer

                offer(name, agreed=bool(context.params.get("yes")))
    return value


ModelName = Annotated[str, typer.Argument(help=f"It is {FORMS}.", callback=on_this_machine)]
Threads = Annotated[int | None, typer.Option(help="Number of threads; default: all available cores.", min=1)]
Context = Annotated[int | None, typer.Option(help="Context length in tokens; default: the model's own.", min=1)]
Exact = Annotated[
    bool, typer.Option("--exact/--fast", help="Products with packed weights: exact, or with activations rounded to integers.")
]
Device = Annotated[str, typer.Option(help="cpu, cuda (NVIDIA GPUs) or xla (what JAX runs on).")]
System = Annotated[str | None, typer.Option(help="A system message.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
MaxTokens = Annotated[int | None, typer.Option(help="Maximum number of tokens.", min=0)]
Temperature = Annotated[float | None, typer.Option(help="0 always takes the likeliest token; default: the model's own setting.")]
TopK = Annotated[int | None, typer.Option(help="Sample from the k likeliest tokens.")]
TopP = Annotated[float | None, typer.Option(help="Sample from the likeliest tokens whose probabilities sum to this.")]
MinP = Annotated[float | None, typer.Option(help="Drop tokens less likely than this fraction of the likeliest.")]
Repetition = Annotated[float | None, typer.Option(help="Divide the logits of tokens that already occurred.")]
Presence = Annotated[float | None, typer.Option(help="Subtract this from the logits of tokens that already occurred.")]
Frequency = Annotated[float | None, typer.Option(help="Subtract this times the number of occurrences.")]
Seed = Annotated[int | None, typer.Option(help="Random seed, for reproducible text.")]
Stop = Annotated[list[str] | None, typer.Option(help="Text that ends the answer; can be repeated.")]
Overflow = Annotated[str, typer.Option(help="When the context is full: error, stop or shift.")]
DraftName = Annotated[
    str | None, typer.Option("--draft", help="Speculative decoding: a smaller model, 'head' or 'lookup'.", callback=on_this_machine)
]
DraftTokens = Annotated[int | None, typer.Option(help="Tokens drafted at once; default: chosen automatically.", min=1)]

MODELS = "Models"  # the panel of `rlx --help`
LONGEST_ANSWER = 1024  # limit of `rlx run`: a small model may never stop by itself


def _settings(
    threads: int | None = None,
    context: int | None = None,
    exact: bool = False,
    draft: str | None = None,
    draft_tokens: int | None = None,
    overflow: str = "error",
    device: str = "cpu",
    **sampling: Any,
) -> Any:

    given = {name: value for name, value in sampling.items() if value is not None and value != []}
    if "stop" in given:
        given["stop"] = tuple(given["stop"])
    return CommandSettings(threads, context, exact, draft, draft_tokens, overflow, given, device)


def run(
    model: ModelName,
    prompt: Annotated[
        list[str] | None,
        typer.Argument(help="The question, or the text to continue; - stands for stdin. Without one: a chat, or stdin."),
    ] = None,
    system: System = None,
    raw: Annotated[bool, typer.Option("--raw", help="Continue the prompt itself, without the model's chat template.")] = False,
    max_tokens: Annotated[int | None, typer.Option(help=f"Maximum number of tokens; default: {LONGEST_ANSWER}.", min=0)] = None,
    temperature: Temperature = None,
    top_k: TopK = None,
    top_p: TopP = None,
    min_p: MinP = None,
    repetition_penalty: Repetition = None,
    presence_penalty: Presence = None,
    frequency_penalty: Frequency = None,
    seed: Seed = None,
    stop: Stop = None,
    device: Device = "cpu",
    threads: Threads = None,
    context: Context = None,
    exact: Exact = False,
    overflow: Overflow = "error",
    draft: DraftName = None,
    draft_tokens: DraftTokens = None,
    json: Json = False,
    yes: Yes = False,
) -> None:
    """Ask a model, stream its answer, and print the speed. Without a prompt: talk to it."""
    talks = not prompt and not json and not raw and sys.stdin.isatty()
    if talks:
        overflow = "shift" if overflow == "error" else overflow
    elif max_tokens is None:
        max_tokens, overflow = LONGEST_ANSWER, "stop" if overflow == "error" else overflow
    sampling = {
        "max_tokens": max_tokens,
        "temperature": temperature,
        "top_k": top_k,
        "top_p": top_p,
        "min_p": min_p,
        "seed": seed,
        "stop": stop,
        "repetition_penalty": repetition_penalty,
        "presence_penalty": presence_penalty,
        "frequency_penalty": frequency_penalty,
    }
    settings = _settings(threads, context, exact, draft, draft_tokens, overflow, device, **sampling)
    if talks:
        from rlx.cli.chat import chat as talk

        talk(model, settings, system)
        return

    code = run_prompt(model, prompt or (), settings, system=system, raw=raw, as_data=json)
    if code:
        raise typer.Exit(code)


def chat(
    model: ModelName,
    system: System = None,
    max_tokens: MaxTokens = None,
    temperature: Temperature = None,
    top_k: TopK = None,
    top_p: TopP = None,
    min_p: MinP = None,
    repetition_penalty: Repetition = None,
    seed: Seed = None,
    device: Device = "cpu",
    threads: Threads = None,
    context: Context = None,
    exact: Exact = False,
    overflow: Overflow = "shift",
    draft: DraftName = None,
    draft_tokens: DraftTokens = None,
    yes: Yes = False,
) -> None:
    """Talk to a model. /set, /system, /regen, /load, /save, /help, /bye."""
    from rlx.cli.chat import chat as talk

    sampling = {
        "max_tokens": max_tokens,
        "temperature": temperature,
        "top_k": top_k,
        "top_p": top_p,
        "min_p": min_p,
        "seed": seed,
        "repetition_penalty": repetition_penalty,
    }
    talk(model, _settings(threads, context, exact, draft, draft_tokens, overflow, device, **sampling), system)


def embed(
    model: ModelName,
    texts: Annotated[list[str], typer.Argument(help="The texts.")],
    device: Device = "cpu",
    threads: Threads = None,
    exact: Exact = False,
    json: Json = False,
    yes: Yes = False,
) -> None:
    """Print the embedding vectors of texts."""

    embed_texts(model, texts, _settings(threads, None, exact, device=device), as_data=json)


def bench(
    model: ModelName,
    repeats: Annotated[int, typer.Option(help="Number of measurements; the best counts.", min=1)] = 5,
    device: Device = "cpu",
    threads: Threads = None,
    context: Context = None,
    exact: Exact = False,
    json: Json = False,
    yes: Yes = False,
) -> None:
    """Measure a model on this machine: prefill and decode tokens per second, and the share of the memory bandwidth."""
    from rlx.cli.inspect_models import bench_model

    bench_model(Console(), model, _settings(threads, context, exact, device=device), repeats=repeats, as_data=json)


def register(app: typer.Typer) -> None:
    """Registers the first model commands; the others come after `serve`."""
    for command in (run, chat):
        app.command(rich_help_panel=MODELS)(command)


# -- shared by the model commands: opening a model, its engine, its sampling, and the line about speed ---------------


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
    """Opens a model by its path, or by the name of an installed one."""
    if settings.threads is not None:
        set_threads(settings.threads)
    mode = "exact" if settings.exact else "fast"
    return load_model(find_model(name), device=settings.device, progress=bars, quant_mode=mode)


def open_engine(name: str, settings: CommandSettings, bars: Bars) -> Engine:
    """Builds a model's engine. Invalid settings are rejected before anything is read; nothing is compiled yet."""
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
    """Times since the command began: when the prompt was submitted, and when all was compiled."""

    asked: float = 0.0
    ready: float = 0.0

    def first_token(self, times: Timings) -> float:
        """Records the time of the first token."""
        return self.asked + times.first_token

    def loading(self, times: Timings) -> float:
        """Seconds before the prompt ran; some compilation may come later."""
        return min(self.ready, self.first_token(times) - times.prefill)


def speed_line(result: Generation, settings: CommandSettings, start: Start | None = None) -> str:
    """Formats a generation's speed in one line; with `start`, the first token's time counts from the start of the command."""
    times, parts = result.timings, []
    reused = f" ({result.reused_tokens} reused)" if result.reused_tokens else ""
    parts.append(f"{count_of(result.prompt_tokens, 'prompt token')}{reused}, {times.prefill_rate:.0f} tokens/s")
    rate = f", {times.decode_rate:.1f} tokens/s" if times.decoded_tokens else ""
    parts.append(f"{count_of(len(result.ids), 'token')}{rate}")
    if result.ids:
        before = f" ({start.loading(times):.2f} s loading)" if start else ""
        parts.append(f"first token after {(start or Start()).first_token(times):.2f} s{before}")
    if result.speculation is not None:
        parts.append(f"{result.speculation.accepted} of {result.speculation.drafted} drafted tokens accepted")
    if settings.exact:
        parts.append("exact mode")
    if result.finish != "stop":
        parts.append(f"ended: {result.finish}")
    return " · ".join(parts)


def as_json(result: Generation, start: Start) -> dict[str, Any]:
    """Converts a generation to plain data."""
    plain, times = asdict(result), result.timings
    plain["timings"] |= {
        "loading": start.loading(times),
        "first_token": start.first_token(times),
        "prefill_rate": times.prefill_rate,
        "decode_rate": times.decode_rate,
    }
    return plain


# -- rlx run and rlx embed: one prompt, one answer; texts and their vectors ------------------------------------------


def run_prompt(name: str, prompt: Sequence[str], settings: CommandSettings, *, system: str | None, raw: bool, as_data: bool) -> int:
    """Streams the answer to stdout, then prints the speed to stderr; returns the exit code. No words, or `-` among them: stdin."""
    words = prompt or ("-",)
    text = " ".join(sys.stdin.read() if word == "-" else word for word in words)
    if not text.strip():
        raise RlxError("RLX903", "the prompt is empty", fix='rlx run MODEL "a question"', at=None)
    with Bars() as bars:
        engine = open_engine(name, settings, bars)
        asked = starting.seconds()
        # checks that the prompt fits before anything is compiled
        stream = _open_stream(engine, text, settings, system, raw)
        engine.prepare()
        start = Start(asked, starting.seconds())
    code = 0
    try:
        for piece in stream:
            if not as_data:
                print(piece, end="", flush=True)
    except KeyboardInterrupt:
        code = 130
    result = stream.result
    if as_data:
        print(json.dumps(as_json(result, start), ensure_ascii=False))
        return code
    print()
    for note in result.notes:
        print(note, file=sys.stderr)
    print(speed_line(result, settings, start), file=sys.stderr)
    return code


def _open_stream(engine: Engine, text: str, settings: CommandSettings, system: str | None, raw: bool) -> Stream:
    """Starts a prompt's stream: through the model's chat template if it has one, else unchanged."""
    if raw or (engine.model.chat_template is None and system is None):
        return engine.stream(text, overflow=settings.overflow, **settings.sampling)
    messages = [{"role": "system", "content": system}] if system is not None else []
    return engine.stream_chat([*messages, {"role": "user", "content": text}], overflow=settings.overflow, **settings.sampling)


def embed_texts(name: str, texts: Sequence[str], settings: CommandSettings, *, as_data: bool) -> None:
    """Embeds texts and prints all values as JSON, or each vector's first values and the cosine similarities."""
    with Bars() as bars:
        vectors = open_model(name, settings, bars).embed(list(texts))
    if as_data:
        print(json.dumps([vector.tolist() for vector in vectors]))
        return
    table = Table(
        title=f"{count_of(len(texts), 'vector')} of {vectors.shape[1]} values, and their cosine similarities", title_justify="left"
    )
    for heading in ("", "text", "vector", *(str(number) for number in range(len(texts)))):
        table.add_column(heading, justify="left" if heading in ("text", "vector") else "right")
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    for number, text in enumerate(texts):
        begin = " ".join(f"{value:.4f}" for value in vectors[number, :4]) + " …"
        table.add_row(str(number), escape(text[:60]), begin, *(f"{cosine:.3f}" for cosine in unit @ unit[number]))
    Console().print(table)
