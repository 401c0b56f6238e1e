"""Grammars made to take all of a server's time or memory, by what they are."""

from __future__ import annotations

from typing import Any

__all__ = ["BOMBS"]

BOMBS: dict[str, dict[str, Any]] = {
    "an expression that explodes": {"grammar": {"regex": "(a{1,1000}){1,1000}"}},
    "a counted expression of Unicode": {"grammar": {"regex": r"(\w{1,200}\W){100,200}"}},
    "a grammar with countless readings": {"grammar": 'start: start start | "a" | start start start |'},
    "alternatives that overlap": {"grammar": "start: (A|B|C)+\nA: /[a-z ]{1,400}/\nB: /[a-z ]{1,500}/\nC: /[a-z ]{1,600}/"},
    "GBNF with a huge count": {"grammar": 'root ::= ("a" | "b" "c"?){1,100000000}'},
    "a schema of many objects": {
        "response_format": {
            "type": "json_schema",
            "json_schema": {
                "name": "x",
                "schema": {
                    "anyOf": [
                        {"type": "object", "properties": {"a": {"type": "string"}, f"b{i}": {}}, "required": ["a"]}
                        for i in range(500)
                    ]
                },
            },
        }
    },
    "a billion items": {
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "x", "schema": {"type": "array", "items": {"type": "string"}, "minItems": 10**9}},
        }
    },
    "a schema of many properties": {
        "response_format": {
            "type": "json_schema",
            "json_schema": {
                "name": "x",
                "schema": {"type": "object", "properties": {f"p{i}": {"type": "string"} for i in range(2000)}},
            },
        }
    },
}
