"""The commands on models: run, chat, embed, bench. Their options; what they do is in files of its own."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.console import Console

__all__ = ["register"]

ModelName = Annotated[
    str, typer.Argument(help="A GGUF file, a Hugging Face folder, or the name of an installed model (smollm2).")
]
Threads = Annotated[int | None, typer.Option(help="Threads; as many as the machine grants if left out.", min=1)]
Context = Annotated[
    int | None, typer.Option(help="Tokens a conversation can have; the model's own number if left out.", min=1)
]
Exact = Annotated[
    bool,
    typer.Option("--exact/--fast", help="Exact products, or activations rounded to integers (for packed weights)."),
]
System = Annotated[str | None, typer.Option(help="A system message.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
MaxTokens = Annotated[int | None, typer.Option(help="At most so many tokens.", min=0)]
Temperature = Annotated[
    float | None, typer.Option(help="0 takes the likeliest token; the model's own setting if left out.")
]
TopK = Annotated[int | None, typer.Option(help="Only the k likeliest tokens.")]
TopP = Annotated[float | None, typer.Option(help="Only the likeliest tokens that reach this share.")]
MinP = Annotated[float | None, typer.Option(help="Only tokens at least so likely, beside the likeliest.")]
Repetition = Annotated[float | None, typer.Option(help="Divides the logits of tokens that were there.")]
Presence = Annotated[float | None, typer.Option(help="Subtracted from the logits of tokens that were there.")]
Frequency = Annotated[float | None, typer.Option(help="The same, times how often.")]
Seed = Annotated[int | None, typer.Option(help="The same text each time.")]
Stop = Annotated[list[str] | None, typer.Option(help="A text that ends the answer; may be given several times.")]
Overflow = Annotated[str, typer.Option(help="When the context is full: error, stop or shift.")]
DraftName = Annotated[
    str | None, typer.Option("--draft", help="What guesses ahead: a smaller model, 'head' or 'lookup'.")
]
DraftTokens = Annotated[
    int | None, typer.Option(help="How many tokens are guessed at once; default: as many as pay.", min=1)
]

LONGEST_ANSWER = 1024  # tokens of `rlx run`: a small model may never come to an end


def _settings(
    threads: int | None = None,
    context: int | None = None,
    exact: bool = False,
    draft: str | None = None,
    draft_tokens: int | None = None,
    overflow: str = "error",
    **sampling: Any,
) -> Any:
    from rlx.cli.opening import CommandSettings

    given = {name: value for name, value in sampling.items() if value is not None and value != []}
    if "stop" in given:
        given["stop"] = tuple(given["stop"])
    return CommandSettings(threads, context, exact, draft, draft_tokens, overflow, given)


def run(
    model: ModelName,
    prompt: Annotated[str, typer.Argument(help="What to ask or continue; - reads it from the input.")],
    system: System = None,
    raw: Annotated[
        bool, typer.Option("--raw", help="Continue the text itself, without the model's chat template.")
    ] = False,
    max_tokens: Annotated[
        int | None, typer.Option(help=f"At most so many tokens; {LONGEST_ANSWER} if left out.", min=0)
    ] = None,
    temperature: Temperature = None,
    top_k: TopK = None,
    top_p: TopP = None,
    min_p: MinP = None,
    repetition_penalty: Repetition = None,
    presence_penalty: Presence = None,
    frequency_penalty: Frequency = None,
    seed: Seed = None,
    stop: Stop = None,
    threads: Threads = None,
    context: Context = None,
    exact: Exact = False,
    overflow: Overflow = "error",
    draft: DraftName = None,
    draft_tokens: DraftTokens = None,
    json: Json = False,
) -> None:
    """Ask a model and print its answer as it comes; then how fast it was."""
    from rlx.cli.answering import run_prompt

    if max_tokens is None:
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
    settings = _settings(threads, context, exact, draft, draft_tokens, overflow, **sampling)
    code = run_prompt(model, prompt, settings, system=system, raw=raw, as_data=json)
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
    threads: Threads = None,
    context: Context = None,
    exact: Exact = False,
    overflow: Overflow = "shift",
    draft: DraftName = None,
    draft_tokens: DraftTokens = None,
) -> None:
    """Talk to a model. /reset, /system TEXT, /save FILE, /help, /exit."""
    from rlx.cli.chatting import chat as talk

    sampling = {
        "max_tokens": max_tokens,
        "temperature": temperature,
        "top_k": top_k,
        "top_p": top_p,
        "min_p": min_p,
        "seed": seed,
        "repetition_penalty": repetition_penalty,
    }
    talk(model, _settings(threads, context, exact, draft, draft_tokens, overflow, **sampling), system)


def embed(
    model: ModelName,
    texts: Annotated[list[str], typer.Argument(help="The texts.")],
    threads: Threads = None,
    exact: Exact = False,
    json: Json = False,
) -> None:
    """Print the vectors of texts, by an embedding model."""
    from rlx.cli.answering import embed_texts

    embed_texts(model, texts, _settings(threads, None, exact), as_data=json)


def bench(
    model: ModelName,
    repeats: Annotated[int, typer.Option(help="How often each is measured; the best counts.", min=1)] = 5,
    threads: Threads = None,
    context: Context = None,
    exact: Exact = False,
    json: Json = False,
) -> None:
    """Measure a model here: tokens per second of prompts and single tokens, and the share of the memory's speed."""
    from rlx.cli.describing import bench_model

    bench_model(Console(), model, _settings(threads, context, exact), repeats=repeats, as_data=json)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (run, chat, embed, bench):
        app.command()(command)
