"""A tokenizer as `llguidance` wants it: the bytes of every token, which are special, which end a text, and how a text is written.

Made once per tokenizer: the package sorts all tokens into a tree. Compiled grammars are kept with it.
"""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from rlx.core.errors import RlxError
from rlx.formats.tokenizer import Tokenizer
from rlx.generate.grammar import PART, Grammar, SchemaNote
from rlx.generate.grammar_errors import grammar_error
from rlx.generate.schema_relaxing import RelaxedSchema

_KEPT = 64  # compiled grammars
_MOST_TEXT = 1 << 20  # characters of a grammar
_MOST_WRITTEN = 4096  # characters of a forced text that are made into tokens at once; the rest, when these are behind
_MARK = "\x02"  # stands before a text whose first word must not get a space


def llguidance_package() -> Any:
    """The package `llguidance`, imported when first used; RLX803 where it is not installed."""
    try:
        import llguidance
    except ImportError:
        raise RlxError(
            "RLX803", "structured output needs the package llguidance", fix="pip install 'rlx[grammar]'", at=None
        ) from None
    return llguidance


class GrammarTokens:
    """The tokens of a model, for grammars."""

    def __init__(self, tokenizer: Tokenizer, ends: frozenset[int]) -> None:
        package = llguidance_package()
        written = _WrittenTokens(tokenizer, ends)
        self.ends = ends
        self.tree = package.LLTokenizer(written, eos_token=sorted(ends) or [written.eos_token_id])
        self.vocabulary = written.vocabulary  # ids from here on are none of the model's
        self.width = len(written.tokens)
        self._compiled: OrderedDict[Grammar, tuple[Any, tuple[SchemaNote, ...]]] = OrderedDict()
        self._lock = threading.Lock()

    def matcher(self, grammar: Grammar) -> tuple[Any, tuple[SchemaNote, ...]]:
        """A matcher at the beginning of a text, and what of its schemas it does not obey; RLX905 where the grammar is none."""
        with self._lock:
            found = self._compiled.get(grammar)
        if found is None:
            found = self._compile(grammar)
            with self._lock:
                self._compiled[grammar] = found
                if len(self._compiled) > _KEPT:
                    self._compiled.popitem(last=False)
        else:
            with self._lock:
                if grammar in self._compiled:
                    self._compiled.move_to_end(grammar)
        return found[0].deep_copy(), found[1]

    def _compile(self, grammar: Grammar) -> tuple[Any, tuple[SchemaNote, ...]]:
        size = len(grammar.text) + sum(len(part.text) for part in grammar.parts)
        if size > _MOST_TEXT:
            message = f"the grammar has {size} characters, at most {_MOST_TEXT} are read"
            raise RlxError("RLX905", message, fix="a shorter one", at=None)
        listed = (grammar,) if grammar.kind == "json_schema" else grammar.parts
        schemas = [RelaxedSchema(one, _said_of) for one in listed]
        found, said = self._begun(grammar, schemas)
        if said and schemas:
            for schema in schemas:
                schema.settle()  # an error is in words of the schema that has it
            found, said = self._begun(grammar, schemas)
        if said:
            raise schemas[0].error(said) if grammar.kind == "json_schema" else grammar_error(grammar, said)
        return found, (*grammar.notes, *(note for schema in schemas for note in schema.notes))

    def _begun(self, grammar: Grammar, schemas: Sequence[RelaxedSchema]) -> tuple[Any, str]:
        """The matcher, and what the package says against it: "" if nothing."""
        matcher = llguidance_package().LLMatcher
        try:
            if grammar.kind == "json_schema":
                text = matcher.grammar_from_json_schema(schemas[0].text)
            elif grammar.kind == "regex":
                text = matcher.grammar_from_regex(grammar.text)
            else:
                text = matcher.grammar_from_lark(_filled(grammar.text, schemas))
            found = matcher(self.tree, text, log_level=0)
            if not found.is_error():
                found.compute_bitmask()  # a grammar of no text fails here; its copies have this mask
        except BaseException as error:
            if isinstance(error, (KeyboardInterrupt, SystemExit, RlxError, MemoryError)):
                raise
            return None, str(error)  # the package's panics are no Exceptions
        return found, str(found.get_error()) if found.is_error() else ""


def _filled(text: str, schemas: Sequence[RelaxedSchema]) -> str:
    """A Lark grammar with its schemas, `PART` by `PART`."""
    for number, schema in enumerate(schemas):
        text = text.replace(PART.format(number), f"%json {schema.text}")
    return text


def _said_of(schema: str) -> str:
    """What the package says against a schema."""
    matcher = llguidance_package().LLMatcher
    try:
        return str(matcher.validate_grammar(matcher.grammar_from_json_schema(schema)))
    except ValueError as error:
        return str(error)


class _WrittenTokens:
    """What `LLTokenizer` asks of a tokenizer. The tokenizer is held weakly: what is made of this is kept as long as it."""

    is_tokenizer_wrapper = True

    def __init__(self, tokenizer: Tokenizer, ends: frozenset[int]) -> None:
        self.tokens = list(tokenizer.pieces)
        self.tokens += [b""] * (max(ends, default=-1) + 1 - len(self.tokens))
        self.vocabulary = len(self.tokens)
        special = set(tokenizer.special) | ends
        if not ends:  # the package wants one
            special.add(self.vocabulary)
            self.tokens.append(b"<end>")
        singles = {piece for number, piece in enumerate(self.tokens) if len(piece) == 1 and number not in special}
        self.tokens += [bytes([byte]) for byte in range(256) if bytes([byte]) not in singles]  # its tree has all bytes
        self.special_token_ids = sorted(special)
        self.eos_token_id = min(ends, default=self.vocabulary)
        self.bos_token_id = tokenizer.bos
        self._tokenizer = weakref.ref(tokenizer)
        self._spaced = tokenizer.strips_space
        self._mark = tokenizer.encode(_MARK, add_special=False) if self._spaced else []
        self._ids: dict[bytes, int] | None = None
        self._longest = 0

    def __call__(self, text: str) -> list[int]:
        """The ids of a text in the middle of another; token by token, the longest first, where the tokenizer changes the text.

        Only of its beginning: the package asks again once that has been taken, and asks all the time where much must follow.
        """
        tokenizer = self._tokenizer()
        if tokenizer is None:
            return []
        text = text[:_MOST_WRITTEN]
        found = tokenizer.encode(_MARK + text if self._spaced else text, add_special=False)
        if found[: len(self._mark)] == self._mark:
            found = found[len(self._mark) :]
            if b"".join(self.tokens[number] for number in found) == text.encode():
                return found
        return self._longest_first(text.encode())

    def _longest_first(self, text: bytes) -> list[int]:
        if self._ids is None:
            hidden = set(self.special_token_ids)
            self._ids = {piece: number for number, piece in enumerate(self.tokens) if piece and number not in hidden}
            self._longest = max(map(len, self._ids))
        found, place = [], 0
        while place < len(text):
            ends = range(min(place + self._longest, len(text)), place, -1)
            end = next(end for end in ends if text[place:end] in self._ids)
            found.append(self._ids[text[place:end]])
            place = end
        return found


_made: dict[tuple[int, frozenset[int]], GrammarTokens] = {}
_lock = threading.Lock()


def grammar_tokens(tokenizer: Tokenizer, ends: frozenset[int]) -> GrammarTokens:
    """The tokens of a tokenizer, for grammars; made once, and kept as long as the tokenizer."""
    key = (id(tokenizer), ends)
    with _lock:
        found = _made.get(key)
        if found is None:
            found = _made[key] = GrammarTokens(tokenizer, ends)
            weakref.finalize(tokenizer, _made.pop, key, None)
        return found
