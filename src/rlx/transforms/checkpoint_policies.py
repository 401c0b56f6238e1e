"""Which values of a checkpointed function a gradient keeps. A policy is a function of a `Candidate`; these are JAX's by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from rlx.core.enums import OpKind
from rlx.core.shape import Shape
from rlx.ir.op import Op


@dataclass(frozen=True)
class Candidate:
    """A value that could be kept: the op that computes it, the shapes of its operands, its own, and its names by `checkpoint_name`."""

    op: Op
    operands: tuple[Shape, ...]
    shape: Shape
    names: frozenset[str] = field(default_factory=frozenset)


Policy = Callable[[Candidate], bool]


def everything_saveable(value: Candidate) -> bool:
    """Keep whatever a gradient reads, as without `checkpoint`."""
    return True


def nothing_saveable(value: Candidate) -> bool:
    """Keep the arguments alone: the default of `checkpoint`."""
    return False


def dots_saveable(value: Candidate) -> bool:
    """Keep results of ops of kind compute: products, convolutions, attention, transforms and solves; compute the cheap rest again."""
    return value.op.definition.kind is OpKind.Compute


def dots_with_no_batch_dims_saveable(value: Candidate) -> bool:
    """Keep results of products with a matrix of weights, not those with a batch of matrices, such as attention scores."""
    return dots_saveable(value) and len(value.operands) > 1 and value.operands[1].rank <= 2


checkpoint_dots = dots_saveable
checkpoint_dots_with_no_batch_dims = dots_with_no_batch_dims_saveable


def save_only_these_names(*names: str) -> Policy:
    """Keep values that `checkpoint_name` called one of these."""
    return lambda value: not value.names.isdisjoint(names)


def save_any_names_but_these(*names: str) -> Policy:
    """Keep values that `checkpoint_name` called something, except these."""
    return lambda value: bool(value.names.difference(names))


def save_anything_except_these_names(*names: str) -> Policy:
    """Keep all values except those that `checkpoint_name` called one of these."""
    return lambda value: value.names.isdisjoint(names)


def save_from_both_policies(first: Policy, second: Policy) -> Policy:
    """Keep what either of two policies keeps."""
    return lambda value: first(value) or second(value)
