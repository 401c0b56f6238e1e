"""Sessions over a mesh of devices: how a module's params are cut, from a table or a preset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rlx.core.argument_checks import check_is
from rlx.core.sharding import Mesh, P, ShardingTable, preset_table
from rlx.runtime.session import Session


def module_sharding(module: Any) -> Mapping[str, P] | str | None:
    """What `module.shard(…)` said."""
    found: Mapping[str, P] | str | None = getattr(module, "sharding", None)
    return found


def mesh_session(
    device: str | None, mesh: Mesh | None, sharding: Mapping[str, P] | str | None, params: Mapping[str, Sequence[Any]]
) -> Session:
    """A session on one device, or over a mesh of them with the params of these sizes cut as `sharding` says.

    >>> mesh_session(None, None, None, {})
    <Session on cpu: 0 params, 0 states, 0 of them not set>
    """
    if mesh is None:
        return Session("cpu" if device is None else device)
    check_is(mesh, Mesh, "RLX406", "mesh", "rlx.Mesh((2, 4), ('data', 'model'))")
    if isinstance(sharding, str):
        static = {name: tuple(dims) for name, dims in params.items() if all(isinstance(size, int) for size in dims)}
        sharding = preset_table(sharding, mesh, static)
    return Session("xla" if device is None else device, sharding=ShardingTable(mesh, sharding or {}))
