"""The model commands: run, chat, embed, bench. This file has their options; the other files implement them."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer
from rich.console import Console

from rlx.cli.model_names import FORMS, Yes, on_this_machine

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
    from rlx.cli.open_model import CommandSettings

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
    from rlx.cli.run_prompt import run_prompt

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
    from rlx.cli.run_prompt import embed_texts

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
    """Add the first commands; the others come after `serve`."""
    for command in (run, chat):
        app.command(rich_help_panel=MODELS)(command)
