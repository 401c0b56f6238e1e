"""Checkpoints of a training: one file where everything lies on one device, a folder of pieces where it is cut over a mesh."""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.train.checkpoint_file import OLD_FORMAT, read_checkpoint, write_checkpoint
from rlx.train.hosts import Hosts
from rlx.train.sharded_checkpoint import PendingSave, ShardedCheckpoint, save_shards

if TYPE_CHECKING:
    from rlx.train.step import Training


def remove_checkpoint(path: Path) -> None:
    """Remove a checkpoint of either kind, or what is left of one."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def save_training(training: Training, path: str | Path, position: Mapping[str, Any]) -> PendingSave | None:
    """Write every param and state, and the position in the data; over a mesh a thread goes on writing."""
    session, text = training.session, {name: str(value) for name, value in position.items()}
    if session.sharding is not None:
        hosts = Hosts(session)
        if hosts.count > 1:  # what another run left there would be taken for pieces of this one
            if hosts.is_first:
                remove_checkpoint(Path(path))
            hosts.meet()
        names = [*training.params, *training.states]
        return save_shards(Path(path), session, names, text, hosts.index, hosts.count)
    arrays = {name: session.param(name) for name in training.params}
    arrays |= {name: session.state(name) for name in training.states}
    write_checkpoint(path, arrays, text)
    return None


def load_training(training: Training, path: str | Path) -> dict[str, str]:
    """Set every param and state from a checkpoint of either kind, on one device or on any mesh; the position saved with it.

    Everything is compared before anything is set.
    """
    return _load_shards(training, Path(path)) if Path(path).is_dir() else _load_file(training, path)


def _load_file(training: Training, path: str | Path) -> dict[str, str]:
    arrays, text = read_checkpoint(path)
    _check(training, path, {name: (DType.of(array.dtype), array.shape) for name, array in arrays.items()}, text)
    if text["format"] == OLD_FORMAT:
        warnings.warn(f"rlx: {path} is from an earlier version without checksums: damage would not be detected", stacklevel=4)
    training.session.set_params({name: arrays[name] for name in training.params})
    for name in training.states:
        training.session.set_state(name, arrays[name])
    return text


def _load_shards(training: Training, path: Path) -> dict[str, str]:
    """Each device reads the slices it keeps."""
    found, session = ShardedCheckpoint(path), training.session
    _check(training, path, found.shapes, found.position)
    made: dict[str, Any] = {}
    for name, (dtype, dims) in found.shapes.items():

        def read(slices: tuple[slice, ...], name: str = name) -> Any:
            return found.slice_of(name, slices)

        if session.sharding is None:
            made[name] = read(tuple(slice(0, size) for size in dims))
        else:
            arrays: Any = session.arrays
            made[name] = arrays.assembled(dims, dtype, session.spec(name), read)
    session.set_params({name: made[name] for name in training.params})
    for name in training.states:
        session.set_state(name, made[name])
    return found.position


def _check(
    training: Training, path: str | Path, found: Mapping[str, tuple[DType, tuple[int, ...]]], text: Mapping[str, str]
) -> None:
    """The names, types and sizes of this training, and a microbatch that it has."""
    wanted = {*training.params, *training.states}
    if found.keys() != wanted:
        what = sorted(wanted ^ found.keys())[:4]
        raise RlxError("RLX703", f"{path} is not a checkpoint of this training: {', '.join(what)} differ", at=None)
    for name, (dtype, dims) in found.items():
        shape = training.session.entries[name].shape
        if dtype is not shape.dtype or dims != shape.dims:
            message = f"{path} is not a checkpoint of this training: {name!r} is {dtype}{list(dims)}, here {shape}"
            raise RlxError("RLX703", message, at=None)
    at = text.get("round", "0")
    if not at.isdecimal() or int(at[:9]) >= training.settings.accumulate:
        message = (
            f"{path}: saved after microbatch {at[:20]} of a step, but this training accumulates {training.settings.accumulate}"
        )
        raise RlxError("RLX703", message, fix="resume with the same accumulate", at=None)
