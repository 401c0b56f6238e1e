"""What an answer is made of, as it comes: text, thoughts, calls of tools."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TextPart:
    """Text for the reader."""

    text: str


@dataclass(frozen=True)
class ThoughtPart:
    """Text that the model thinks."""

    text: str


@dataclass(frozen=True)
class CallBegin:
    """A call begins: its number in the answer, and what is called."""

    index: int
    name: str


@dataclass(frozen=True)
class CallArguments:
    """More of the arguments of a call, a piece of JSON."""

    index: int
    text: str


AnswerPart = TextPart | ThoughtPart | CallBegin | CallArguments


@dataclass(frozen=True)
class Tool:
    """A function that the model may call; `parameters` is a JSON schema. `strict`: what of it cannot be obeyed is an error."""

    name: str
    description: str
    parameters: dict[str, object]
    strict: bool = False

    @property
    def closed(self) -> dict[str, object]:
        """The schema of arguments for a grammar: no others than those it names, unless it says something about others."""
        says = ("additionalProperties", "patternProperties", "unevaluatedProperties", "anyOf", "oneOf", "allOf", "$ref")
        if "properties" not in self.parameters or any(name in self.parameters for name in says):
            return self.parameters
        return {**self.parameters, "additionalProperties": False}

    def described(self) -> dict[str, object]:
        """As templates expect it."""
        function = {"name": self.name, "description": self.description, "parameters": self.parameters}
        return {"type": "function", "function": function}
