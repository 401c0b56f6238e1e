"""Random JSON schemas: what grammars support, nested."""

from __future__ import annotations

import random
from typing import Any

__all__ = ["random_schema"]

PATTERNS = ("^[a-z]{2,5}$", "^(red|green)-[0-9]{1,3}$", "ab+c?", "^[A-Z]{3}", "[0-9]$", r"^\w+@x\.(org|com)$")
FORMATS = ("date", "uuid", "ipv4", "email", "time", "date-time", "hostname", "duration")
NAMES = ("name", "age", "id", "tags", "ok", "with space", 'quo"te', "ünï", "a", "b", "items", "value")
VALUES = (None, True, False, 0, -7, 12.5, "red", "green blue", 'say "hi"', "ünïcode", [1, "two"], {"k": None}, "")


def random_schema(seed: int) -> dict[str, Any]:
    """An object, whose properties are anything; where it refers to definitions, these may refer to themselves."""
    return _Schemas(random.Random(seed)).root()


class _Schemas:
    def __init__(self, random: random.Random) -> None:
        self.random = random
        self.refers = random.random() < 0.4

    def root(self) -> dict[str, Any]:
        schema = self.object(3)
        if self.refers:
            schema["$defs"] = {
                "list": {
                    "type": "object",
                    "properties": {"value": self.scalar(), "next": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/list"}]}},
                    "required": ["value", "next"],
                    "additionalProperties": False,
                },
                "tree": {"type": "array", "items": {"$ref": "#/$defs/tree"}, "maxItems": 2},
                "leaf": self.scalar(),
            }
        return schema

    def any(self, depth: int) -> dict[str, Any]:
        makers = [self.scalar, self.scalar, self.scalar]
        if depth > 0:
            makers += [
                lambda: self.object(depth - 1),
                lambda: self.array(depth - 1),
                lambda: {"anyOf": [self.any(depth - 1) for _ in range(self.random.randint(1, 3))]},
                lambda: {"allOf": [{"type": "integer", "minimum": -3}, {"maximum": self.random.randint(0, 90)}]},
            ]
        if self.refers:
            makers.append(lambda: {"$ref": f"#/$defs/{self.random.choice(['list', 'tree', 'leaf'])}"})
        return self.random.choice(makers)()

    def scalar(self) -> dict[str, Any]:
        makers = (self.string, self.string, self.integer, self.number, self.enum, self.const, self.flag, self.several)
        return self.random.choice(makers)()

    def string(self) -> dict[str, Any]:
        kind = self.random.randrange(4)
        if kind == 0:
            return {"type": "string", "pattern": self.random.choice(PATTERNS)}
        if kind == 1:
            return {"type": "string", "format": self.random.choice(FORMATS)}
        low = self.random.randint(0, 4)
        return {"type": "string", "minLength": low, "maxLength": low + self.random.randint(0, 8)}

    def integer(self) -> dict[str, Any]:
        low = self.random.randint(-1000, 1000)
        schema: dict[str, Any] = {"type": "integer", "minimum": low}
        schema[self.random.choice(["maximum", "exclusiveMaximum"])] = low + self.random.randint(6, 5000)
        if self.random.random() < 0.2:
            schema["multipleOf"] = self.random.choice([2, 3, 5])
        return schema

    def number(self) -> dict[str, Any]:
        low = self.random.uniform(-50, 50)
        bounds = [{"minimum": low}, {"exclusiveMaximum": low}, {"minimum": low, "maximum": low + 7.25}, {}]
        return {"type": "number", **self.random.choice(bounds)}

    def enum(self) -> dict[str, Any]:
        return {"enum": self.random.sample(VALUES, self.random.randint(1, 5))}

    def const(self) -> dict[str, Any]:
        return {"const": self.random.choice(VALUES)}

    def flag(self) -> dict[str, Any]:
        return {"type": self.random.choice(["boolean", "null"])}

    def several(self) -> dict[str, Any]:
        return {"type": ["integer", "null", "boolean"], "minimum": 0}

    def array(self, depth: int) -> dict[str, Any]:
        low = self.random.randint(0, 2)
        schema: dict[str, Any] = {"type": "array", "items": self.any(depth), "minItems": low, "maxItems": low + 2}
        if low and self.random.random() < 0.4:
            schema["prefixItems"] = [self.scalar() for _ in range(low)]
        return schema

    def object(self, depth: int) -> dict[str, Any]:
        names = self.random.sample(NAMES, self.random.randint(1, 4))
        schema: dict[str, Any] = {"type": "object", "properties": {name: self.any(depth) for name in names}}
        schema["required"] = [name for name in names if self.random.random() < 0.7]
        schema["additionalProperties"] = False if self.random.random() < 0.8 else self.integer()
        if self.random.random() < 0.1:
            schema["patternProperties"] = {"^x_[a-z]{1,3}$": self.flag()}
        return schema
