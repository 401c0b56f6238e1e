"""The argument that names a model, for every command: what is not on this machine is offered for download."""

from __future__ import annotations

from typing import Annotated, Any

import typer

FORMS = "a GGUF file, a Hugging Face folder, or a name: org/repo, org/repo:Q4_K_M, ollama:name:tag, smollm2, … (docs/models.md)"
Yes = Annotated[
    bool, typer.Option("--yes", "-y", is_eager=True, help="If the model is not on this machine, download it without asking.")
]


def on_this_machine(context: typer.Context, value: Any) -> Any:
    """Callback of a model argument: the names as they are, after the downloads that they need and that were agreed to."""
    if not context.resilient_parsing:
        for name in [value] if isinstance(value, str) else value or ():
            if name not in ("head", "lookup"):  # drafters that are no models
                from rlx.cli.pull import offer

                offer(name, agreed=bool(context.params.get("yes")))
    return value
