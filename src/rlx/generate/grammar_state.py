"""A grammar while a text is generated: which tokens may follow, which must, and whether the text may end.

The engine's use of a state, per sequence: `forced()` tokens need no sampling; else `mask` or `candidates` limits the logits, and `accept`
takes the chosen token. `fill_masks` prepares the masks of many sequences in one call. A draft is cut to what `valid` counts; tokens that
were accepted and then rejected are taken back by `rollback`.

`GrammarTokens` is a tokenizer as `llguidance` needs it: the bytes of every token, which are special, which end a text, and how a text is
tokenized. It is made once per tokenizer, since the package sorts all tokens into a tree. Compiled grammars are cached with it.
"""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.errors import RlxError
from rlx.formats.tokenizer import Tokenizer
from rlx.generate.grammar import PART, Grammar, SchemaNote, as_grammar
from rlx.generate.json_schemas import RelaxedSchema, grammar_error
from rlx.generate.sampling_settings import Sampling

_KEPT = 64  # compiled grammars
_MOST_TEXT = 1 << 20  # characters of a grammar
_MOST_WRITTEN = 4096  # characters of a forced text that are tokenized at once; the rest follows later
_MARK = "\x02"  # stands before a text whose first word must not get a space


def llguidance_package() -> Any:
    """Imports the package `llguidance` on first use; RLX803 where it is not installed."""
    try:
        import llguidance
    except ImportError:
        raise RlxError(
            "RLX803", "structured output needs the package llguidance", fix="pip install 'rlx[grammar]'", at=None
        ) from None
    return llguidance


class GrammarTokens:
    """The vocabulary of a model in the form that llguidance reads."""

    def __init__(self, tokenizer: Tokenizer, ends: frozenset[int]) -> None:
        package = llguidance_package()
        written = _WrittenTokens(tokenizer, ends)
        self.ends = ends
        self.tree = package.LLTokenizer(written, eos_token=sorted(ends) or [written.eos_token_id])
        self.vocabulary = written.vocabulary  # ids from here on are not in the model's vocabulary
        self.width = len(written.tokens)
        self._compiled: OrderedDict[Grammar, tuple[Any, tuple[SchemaNote, ...]]] = OrderedDict()
        self._lock = threading.Lock()

    def matcher(self, grammar: Grammar) -> tuple[Any, tuple[SchemaNote, ...]]:
        """Compiles a grammar to a matcher at the start of a text, and notes on unenforced parts; RLX905 for an invalid one."""
        with self._lock:
            compiled = self._compiled.get(grammar)
        if compiled is None:
            compiled = self._compile(grammar)
            with self._lock:
                self._compiled[grammar] = compiled
                if len(self._compiled) > _KEPT:
                    self._compiled.popitem(last=False)
        else:
            with self._lock:
                if grammar in self._compiled:
                    self._compiled.move_to_end(grammar)
        return compiled[0].deep_copy(), compiled[1]

    def _compile(self, grammar: Grammar) -> tuple[Any, tuple[SchemaNote, ...]]:
        size = len(grammar.text) + sum(len(part.text) for part in grammar.parts)
        if size > _MOST_TEXT:
            message = f"the grammar has {size} characters, at most {_MOST_TEXT} are read"
            raise RlxError("RLX905", message, fix="a shorter one", at=None)
        listed = (grammar,) if grammar.kind == "json_schema" else grammar.parts
        schemas = [RelaxedSchema(one, _said_of) for one in listed]
        matcher, said = self._begun(grammar, schemas)
        if said and schemas:
            for schema in schemas:
                schema.settle()  # an error is in words of the schema that has it
            matcher, said = self._begun(grammar, schemas)
        if said:
            raise schemas[0].error(said) if grammar.kind == "json_schema" else grammar_error(grammar, said)
        return matcher, (*grammar.notes, *(note for schema in schemas for note in schema.notes))

    def _begun(self, grammar: Grammar, schemas: Sequence[RelaxedSchema]) -> tuple[Any, str]:
        """Starts a matcher; returns it and the package's error message: "" if there is none."""
        matcher = llguidance_package().LLMatcher
        try:
            if grammar.kind == "json_schema":
                text = matcher.grammar_from_json_schema(schemas[0].text)
            elif grammar.kind == "regex":
                text = matcher.grammar_from_regex(grammar.text)
            else:
                text = matcher.grammar_from_lark(_insert_schemas(grammar.text, schemas))
            begun = matcher(self.tree, text, log_level=0)
            if not begun.is_error():
                begun.compute_bitmask()  # a grammar of no text fails here; its copies have this mask
        except BaseException as error:
            if isinstance(error, (KeyboardInterrupt, SystemExit, RlxError, MemoryError)):
                raise
            return None, str(error)  # the package's panics are not Exceptions
        return begun, str(begun.get_error()) if begun.is_error() else ""


def _insert_schemas(text: str, schemas: Sequence[RelaxedSchema]) -> str:
    """Substitutes a Lark grammar's schemas, `PART` by `PART`."""
    for number, schema in enumerate(schemas):
        text = text.replace(PART.format(number), f"%json {schema.text}")
    return text


def _said_of(schema: str) -> str:
    """Returns the package's error message for a schema; "" if there is none."""
    matcher = llguidance_package().LLMatcher
    try:
        return str(matcher.validate_grammar(matcher.grammar_from_json_schema(schema)))
    except ValueError as error:
        return str(error)


class _WrittenTokens:
    """The tokenizer interface of `LLTokenizer`. It holds the tokenizer weakly: its products live as long as the tokenizer."""

    is_tokenizer_wrapper = True

    def __init__(self, tokenizer: Tokenizer, ends: frozenset[int]) -> None:
        self.tokens = list(tokenizer.pieces)
        self.tokens += [b""] * (max(ends, default=-1) + 1 - len(self.tokens))
        self.vocabulary = len(self.tokens)
        special = set(tokenizer.special) | ends
        if not ends:  # the package requires one
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
        """Tokenizes a text in the middle of another; longest tokens first where the tokenizer changes the text.

        Only its beginning is tokenized: the package calls again after that, and calls often where a long text must follow.
        """
        tokenizer = self._tokenizer()
        if tokenizer is None:
            return []
        text = text[:_MOST_WRITTEN]
        ids = tokenizer.encode(_MARK + text if self._spaced else text, add_special=False)
        if ids[: len(self._mark)] == self._mark:
            ids = ids[len(self._mark) :]
            if b"".join(self.tokens[number] for number in ids) == text.encode():
                return ids
        return self._longest_first(text.encode())

    def _longest_first(self, text: bytes) -> list[int]:
        if self._ids is None:
            hidden = set(self.special_token_ids)
            self._ids = {piece: number for number, piece in enumerate(self.tokens) if piece and number not in hidden}
            self._longest = max(map(len, self._ids))
        ids, start = [], 0
        while start < len(text):
            ends = range(min(start + self._longest, len(text)), start, -1)
            end = next(end for end in ends if text[start:end] in self._ids)
            ids.append(self._ids[text[start:end]])
            start = end
        return ids


_made: dict[tuple[int, frozenset[int]], GrammarTokens] = {}
_lock = threading.Lock()


def grammar_tokens(tokenizer: Tokenizer, ends: frozenset[int]) -> GrammarTokens:
    """Converts a tokenizer's vocabulary for grammars, once; cached as long as the tokenizer lives."""
    key = (id(tokenizer), ends)
    with _lock:
        tokens = _made.get(key)
        if tokens is None:
            tokens = _made[key] = GrammarTokens(tokenizer, ends)
            weakref.finalize(tokenizer, _made.pop, key, None)
        return tokens


# -- the state of a text ---------------------------------------------------------------------------------------------
Array = npt.NDArray[Any]
MOST_FORCED = 64
"""Limit of forced tokens taken at once, so that other sequences do not wait long."""
_SPARSE = 16  # where fewer than 1 of this many tokens may follow, they are picked out
_BITS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
_LIMITS = np.where(_BITS == 1, np.float32(np.inf), np.float32(-np.inf))  # of the logits of 8 tokens, by their bits


def grammar_state(sampling: Sampling, tokenizer: Tokenizer, ends: frozenset[int]) -> GrammarState | None:
    """Returns the grammar's state before a text's first token; None without a grammar. `ends`: the model's end tokens (`end_ids`).

    RLX905 for an invalid grammar, RLX803 without the package llguidance.
    """
    grammar = as_grammar(sampling.grammar)
    if grammar is None:
        return None
    tokens = grammar_tokens(tokenizer, ends)
    matcher, notes = tokens.matcher(grammar)
    return GrammarState(tokens, matcher, ignore_eos=sampling.ignore_eos, notes=notes)


class GrammarState:
    """The position of a generated text in its grammar.

    `ignore_eos`: the text continues as long as the grammar allows. `notes`: parts of its schemas that are not enforced.

    >>> from rlx.generate import regex
    >>> state = grammar_state(Sampling(grammar=regex("ab(c|d)")), tokenizer, frozenset({2}))  # doctest: +SKIP
    >>> state.forced(), state.may_end  # doctest: +SKIP
    ([71], False)
    """

    def __init__(
        self, tokens: GrammarTokens, matcher: Any, *, ignore_eos: bool = False, notes: tuple[SchemaNote, ...] = ()
    ) -> None:
        self._tokens, self._matcher, self._ignore_eos, self.notes = tokens, matcher, ignore_eos, notes
        self._ended = False  # an end token was accepted
        self.seconds = self.last_seconds = 0.0  # what it computed for this text, and after the last token
        self.is_quick = False  # whether that was little
        self.slow_tokens = 0  # tokens that took too long by themselves
        self._bits: Array | None = None  # of the tokens that may follow, where they are known
        self._plan: tuple[int, ...] | None = None  # tokens that must follow, where they are known,
        self._place = 0  # from this one on
        self._trail: list[
            tuple[tuple[int, ...] | None, int, bool]
        ] = []  # per token: the plan and the place before it, did it end the text

    @property
    def may_end(self) -> bool:
        """Whether the text so far is complete by the grammar."""
        return self._ended or bool(self._matcher.is_accepting())

    @property
    def is_finished(self) -> bool:
        """Whether only an end token may follow."""
        if self._ended:
            return True
        if not self._matcher.is_stopped():
            return False
        if self._matcher.is_error():
            raise self._failure()
        return True

    @property
    def taken(self) -> int:
        """The number of tokens that the grammar has accepted."""
        return len(self._trail)

    def forced(self, most: int = MOST_FORCED) -> list[int]:
        """Returns at most so many tokens that must follow by the grammar; empty where there is a choice, and at the end."""
        if self._plan is None:
            tokens = [] if self.is_finished else self._matcher.compute_ff_tokens()
            self._plan = tuple(takewhile(lambda token: token < self._tokens.vocabulary, tokens))
            self._place = 0
        return list(self._plan[self._place : self._place + most])

    def valid(self, tokens: Sequence[int]) -> int:
        """Returns how many leading tokens of a draft can follow; the state is not changed."""
        plan = self.forced()
        for number, (token, expected) in enumerate(zip(tokens, plan, strict=False)):
            if token != expected:
                return number
        if self._ended:
            return 0
        if self.is_finished:  # the package counts no end here
            return int(tokens[0] in self._tokens.ends) if tokens else 0
        return int(self._matcher.validate_tokens(list(tokens)))

    def accept(self, token: int) -> None:
        """Advances the grammar by the next token; RLX905 for one that cannot follow. After an end only another can."""
        plan, position = self._plan, self._place
        ends = token in self._tokens.ends and self.may_end
        if not ends and (self._ended or not self._consumes(token)):
            raise self._refusal(token)
        self._trail.append((plan, position, ends))
        self._ended, self._bits = ends, None
        follows = plan is not None and plan[position : position + 1] == (token,) and position + 1 < len(plan)
        self._plan, self._place = (plan, position + 1) if follows else (None, 0)

    def _consumes(self, token: int) -> bool:
        return 0 <= token < self._tokens.vocabulary and self._matcher.try_consume_tokens([token]) == 1

    def rollback(self, count: int) -> None:
        """Rewinds the grammar by the last tokens."""
        if not 0 <= count <= len(self._trail):
            raise RlxError("RLX905", f"{count} tokens are taken back, of {len(self._trail)}", at=None)
        if count:
            taken = self._trail[-count:]
            del self._trail[-count:]
            consumed = sum(not ended for *_, ended in taken)
            if consumed:
                self._matcher.rollback(consumed)
            self._plan, self._place, self._bits = taken[0][0], taken[0][1], None
            self._ended = bool(self._trail) and self._trail[-1][2]

    def clone(self) -> GrammarState:
        """Copies the grammar's state, for a text that continues differently."""
        other = GrammarState(self._tokens, self._matcher.deep_copy(), ignore_eos=self._ignore_eos, notes=self.notes)
        other._ended, other._bits, other._trail = self._ended, self._bits, list(self._trail)
        other._plan, other._place = self._plan, self._place
        return other

    def mask(self, logits: Array) -> Array:
        """Copies a row of logits, with -inf where a token cannot follow."""
        limits = _LIMITS.take(self.bits().view(np.uint8), axis=0).reshape(-1)
        width = min(len(logits), len(limits))
        masked = np.empty_like(logits)
        np.minimum(logits[:width], limits[:width], out=masked[:width])
        masked[width:] = -np.inf
        return masked

    def candidates(self, logits: Array) -> tuple[Array | None, Array]:
        """Returns the ids that may follow, ascending, and their logits; where they are many: None, and the masked row."""
        bits = self.bits()
        if int(np.bitwise_count(bits).sum()) * _SPARSE > len(logits):
            return None, self.mask(logits)
        width = min(len(logits), 32 * len(bits))
        ids = np.unpackbits(bits.view(np.uint8), count=width, bitorder="little").view(np.bool_).nonzero()[0]
        if not len(ids):
            raise RlxError("RLX905", "no token of the model can follow", fix="another grammar", at=None)
        return ids, logits[ids]

    def bits(self) -> npt.NDArray[np.uint32]:
        """Returns the bit mask of the tokens that may follow: bit i of word w is id 32·w + i."""
        if self._bits is None:
            bits = np.zeros((self._tokens.width + 31) // 32, np.uint32)
            if self._ended:
                for token in self._tokens.ends:
                    bits[token >> 5] |= np.uint32(1 << (token & 31))
            else:
                self._matcher.unsafe_compute_mask_ptr(bits.ctypes.data, bits.nbytes)
            self._take_bits(bits)
        assert self._bits is not None
        return self._bits

    def _take_bits(self, bits: npt.NDArray[np.uint32]) -> None:
        """Saves the mask that the package computed, without the end tokens where the text should continue."""
        if self._matcher.is_error():
            raise self._failure()
        words, part = divmod(self._tokens.vocabulary, 32)
        bits = bits[: words + (part > 0)]
        if part:
            bits[words] &= np.uint32((1 << part) - 1)
        if self._ignore_eos and not self.is_finished:
            more = bits.copy()
            for token in self._tokens.ends:
                more[token >> 5] &= ~np.uint32(1 << (token & 31))
            bits = more if more.any() else bits
        self._bits = bits

    def _refusal(self, token: int) -> RlxError:
        if self._matcher.is_error():
            return self._failure()
        return RlxError("RLX905", f"the token {token} cannot follow here", fix="one that `bits` has", at=None)

    def _failure(self) -> RlxError:
        said = str(self._matcher.get_error()).partition("\n")[0]
        return RlxError("RLX905", f"the grammar failed after {len(self._trail)} tokens: {said}", at=None)


def fill_masks(states: Sequence[GrammarState]) -> None:
    """Computes the masks of several texts in one call, on several threads. Texts with a mask or with forced tokens need none.

    A text whose grammar fails gets none: its `bits` raises the error.
    """
    pending = [state for state in states if state._bits is None and not state._ended and not state.forced(1)]
    for width in {state._tokens.width for state in pending}:
        group = [state for state in pending if state._tokens.width == width]
        bits = np.zeros((len(group), (width + 31) // 32), np.uint32)
        matchers = [(state._matcher, number) for number, state in enumerate(group)]
        _executor().unsafe_compute_mask_ptr(matchers, bits.ctypes.data, bits.strides[0], len(group))
        for state, row in zip(group, bits, strict=True):
            if not state._matcher.is_error():
                state._take_bits(row)


@lru_cache(maxsize=1)
def _executor() -> Any:
    return llguidance_package().LLExecutor()
