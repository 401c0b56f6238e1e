"""Tracebacks that end at the user's line: frames of this package are taken out where its functions are left.

An exception that the package did not mean to raise (its own innermost frame, and no RlxError) keeps all of them, as everything
does under RLX_TRACEBACK=full.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import ParamSpec, TypeVar

from rlx.core import config
from rlx.core.errors import PACKAGE_FOLDER, RlxError

P = ParamSpec("P")
R = TypeVar("R")


_FOREIGN = ("is not a valid JAX type", "must be Tensor, not", "ArrayImpl")
"""What functions of JAX and torch say about a Value."""
_INSTEAD = {
    "optax": "use an optimizer of rlx.train, such as rlx.train.Adam, and the losses of rlx.nn; optax computes with JAX's functions",
    "equinox": "use the modules of rlx.nn, such as rlx.nn.Linear; equinox computes with JAX's functions",
    "flax": "use the modules of rlx.nn, such as rlx.nn.Linear; flax computes with JAX's functions",
}
"""Libraries on top of JAX, and what does their work here."""


def _name_our_functions(error: BaseException) -> None:
    """A function of another library was called on a traced value: say which ones can be."""
    traced = isinstance(error, RlxError) and error.code == "RLX108"
    if not traced and not (isinstance(error, TypeError) and any(text in str(error) for text in _FOREIGN)):
        return
    modules = [str(entry.tb_frame.f_globals.get("__name__", "")) for entry in _entries(error.__traceback__)]
    library = next((name.split(".")[0] for name in modules if name.split(".")[0] in _INSTEAD), None)
    fix = _INSTEAD[library] if library else "call rlx.numpy, rlx.nn and rlx.lax on traced values; the names are those of jax"
    if isinstance(error, RlxError):
        error.fix = fix if library else error.fix
    elif f"fix: {fix}" not in getattr(error, "__notes__", ()):
        error.add_note(f"fix: {fix}")


def hide_own_frames(error: BaseException) -> None:
    """Take this package's frames out of an error's traceback. A bare `raise` after it does not add the frame it stands in.

    >>> try:
    ...     RlxError("no such code", "")
    ... except KeyError as error:
    ...     hide_own_frames(error)  # the innermost frame is ours
    ...     print(error.__traceback__.tb_next is not None)
    True
    """
    _name_our_functions(error)
    entries = _entries(error.__traceback__)
    if not entries or config.TRACEBACK.read() == "full":
        return
    if _is_own(entries[-1].tb_frame) and not isinstance(error, RlxError):
        return
    left: TracebackType | None = None
    for entry in reversed(entries):
        if not _is_own(entry.tb_frame):
            left = TracebackType(left, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    error.__traceback__ = left


def hiding_own_frames(function: Callable[P, R]) -> Callable[P, R]:
    """A function of the package whose errors do not show its frames."""

    @functools.wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            hide_own_frames(error)
            raise

    return called


def _entries(traceback: TracebackType | None) -> list[TracebackType]:
    found = []
    while traceback is not None:
        found.append(traceback)
        traceback = traceback.tb_next
    return found


def _is_own(frame: FrameType) -> bool:
    """A frame of this package, or of code generated for it."""
    file = frame.f_code.co_filename
    if file == "<string>":
        return str(frame.f_globals.get("__name__", "")).startswith("rlx.")
    return file.startswith(PACKAGE_FOLDER)
