"""Prompts as passed by callers: a text, token ids, or a list of these."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rlx.core.errors import RlxError

_TAKES = "a text, a list of token ids, or a list of such prompts"


def as_prompts(prompt: Any) -> Sequence[Any]:
    """Prompts as a list: the same object if it already is one.

    >>> as_prompts("a text"), as_prompts([1, 2]), as_prompts(["one", [2]])
    (['a text'], [[1, 2]], ['one', [2]])
    """
    if isinstance(prompt, str):
        return [prompt]
    if isinstance(prompt, (bytes, dict, set)) or not hasattr(prompt, "__len__") or not hasattr(prompt, "__getitem__"):
        raise RlxError("RLX903", f"the prompt is {prompt!r:.60}, {type(prompt).__name__}", fix=_TAKES)
    if isinstance(prompt, np.ndarray) and prompt.ndim != 1:
        raise RlxError("RLX903", f"the prompt is an array of shape {list(prompt.shape)}", fix=_TAKES)
    if not len(prompt):
        raise RlxError("RLX903", "the prompt is empty", fix=_TAKES)
    parts = [isinstance(part, str) or hasattr(part, "__len__") for part in prompt]
    if any(parts) and not all(parts):
        raise RlxError("RLX903", "the prompt mixes texts and numbers", fix=_TAKES)
    return prompt if all(parts) else [prompt]


def token_ids(prompt: Any) -> list[int]:
    """Ids as ints; fractions, bools and negative numbers are rejected."""
    if set(map(type, prompt)) == {int} and min(prompt) >= 0:  # nearly always; a prompt may be long
        return list(prompt)
    for token in prompt:
        if isinstance(token, (bool, np.bool_)) or not isinstance(token, (int, np.integer)) or token < 0:
            raise RlxError("RLX903", f"the prompt has {token!r}, which is not a token id", fix=_TAKES)
    return [int(token) for token in prompt]
