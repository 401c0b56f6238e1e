"""How a model shall think: OpenAI's effort, Anthropic's and vLLM's budget, OpenRouter's `reasoning`, Ollama's `think`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rlx.serve.errors import ApiError
from rlx.serve.fields import check_names
from rlx.serve.sampling_fields import SamplingFields


class ThinkingFields(SamplingFields, kw_only=True):
    """Fields of chat completions that say how to sample and how to think."""

    reasoning_effort: str | None = None
    reasoning: dict[str, Any] | None = None
    thinking: dict[str, Any] | None = None
    thinking_token_budget: int | None = None
    enable_thinking: bool | None = None
    think: bool | str | None = None
    include_reasoning: bool | None = None


@dataclass(frozen=True)
class Thinking:
    """Variables for the template, the most tokens of thoughts, and whether they are left out of the answer."""

    template: dict[str, Any] = field(default_factory=dict)
    budget: int | None = None
    hidden: bool = False


def effort(word: str | None) -> dict[str, Any]:
    """How hard to think, as templates know it.

    >>> effort("none"), effort("low")
    ({'enable_thinking': False}, {'enable_thinking': True, 'reasoning_effort': 'low'})
    """
    if word is None:
        return {}
    if word == "none":
        return {"enable_thinking": False}
    return {"enable_thinking": True, "reasoning_effort": word}


def think(given: bool | str | None) -> dict[str, Any]:
    """Ollama's `think`: whether to, or how hard.

    >>> think(False), think("low")
    ({'enable_thinking': False}, {'enable_thinking': True, 'reasoning_effort': 'low'})
    """
    return {"enable_thinking": given} if isinstance(given, bool) else effort(given)


def thinking_of(given: dict[str, Any]) -> Thinking:
    """Anthropic's `thinking`."""
    check_names(given, ("type", "budget_tokens", "display", "clear_thinking"), "thinking.")
    hidden = given.get("display") == "omitted"
    match given:
        case {"type": "disabled"}:
            return Thinking({"enable_thinking": False})
        case {"type": "adaptive" | "between_tools" | "auto"}:
            return Thinking({"enable_thinking": True}, hidden=hidden)
        case {"type": "enabled"}:
            budget = given.get("budget_tokens")
            if budget is not None and (not isinstance(budget, int) or isinstance(budget, bool)):
                raise ApiError(400, "thinking.budget_tokens is a number of tokens", param="thinking.budget_tokens")
            return Thinking({"enable_thinking": True}, budget, hidden)
    raise ApiError(400, "thinking: its type is enabled (with budget_tokens), adaptive or disabled", param="thinking")


def thinking_asked(given: ThinkingFields) -> Thinking:
    """All of a request's fields together; what is said by name wins over what is said in an object."""
    found = Thinking() if given.thinking is None else thinking_of(given.thinking)
    template, budget, hidden = dict(found.template), found.budget, found.hidden
    router = given.reasoning or {}
    check_names(router, ("effort", "max_tokens", "exclude", "enabled", "summary"), "reasoning.")
    if isinstance(router.get("enabled"), bool):
        template["enable_thinking"] = router["enabled"]
    if isinstance(router.get("effort"), str):
        template |= effort(router["effort"])
    if isinstance(router.get("max_tokens"), int):
        budget = router["max_tokens"]
    if given.enable_thinking is not None:
        template["enable_thinking"] = given.enable_thinking
    template |= effort(given.reasoning_effort) | think(given.think)
    budget = budget if given.thinking_token_budget is None else given.thinking_token_budget
    hidden = hidden or router.get("exclude") is True or given.include_reasoning is False
    return Thinking(template, budget, hidden)
