"""The parameters that `rlx tune` chose for a machine, in the disk cache next to the programs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from rlx.core import cache

if TYPE_CHECKING:
    from rlx.backends.cpu.target import Target


def keep(target: Target, found: Mapping[str, int]) -> None:
    """Save the parameters of this machine; nothing is saved if the disk cache is off."""
    cache.store(_name(target), json.dumps(dict(found)).encode())


def apply(target: Target) -> Target:
    """The target with its saved parameters, if there are any."""
    found = cache.read(_name(target), lambda stored: target.sized({name: int(value) for name, value in json.loads(stored).items()}))
    return found or target


def _name(target: Target) -> str:
    return cache.key("tuned", target.triple, target.cpu, target.features)
