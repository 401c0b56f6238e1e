"""Checkpoints of a training: one safetensors file, or a folder of pieces where arrays are cut over a mesh.

A file has a checksum of every tensor and of the position in its metadata. In a folder, every process writes the pieces it keeps,
`pieces-I-of-N.safetensors`, and beside them `index-I-of-N.json`: for each array its dtype and global sizes, and where each of these
pieces begins, with its checksum. A reader assembles the slice it needs from the pieces that overlap it, so any mesh reads what any other
wrote; pages outside those pieces are not read.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import threading
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rlx.core.aligned import Array
from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.core.files import naming, writing, written_whole
from rlx.formats.safetensors import read_json, read_metadata, read_safetensors, write_safetensors
from rlx.runtime.session import Session
from rlx.train.language_model import Hosts

Pieces = dict[str, list[tuple[tuple[int, ...], Array]]]
FORMAT = "rlx.training.shards.1"
FILE_FORMAT, OLD_FORMAT = "rlx.training.2", "rlx.training.1"  # the old one has no checksums
_SUMS = "checksums"
_POSITION = ""  # the key of the position's checksum: not a valid tensor name


def write_checkpoint(path: str | Path, arrays: Mapping[str, Array], position: Mapping[str, str]) -> None:
    """Writes tensors and position to a checkpoint file, atomically."""
    text = {"format": FILE_FORMAT, **position}
    sums = {name: _tensor_checksum(name, array) for name, array in arrays.items()} | {_POSITION: _text_checksum(text)}
    write_safetensors(path, arrays, {**text, _SUMS: json.dumps(sums)})


def read_checkpoint(path: str | Path) -> tuple[dict[str, Array], dict[str, str]]:
    """Reads a checkpoint's tensors and position, verified: a checksum mismatch is RLX701. The old format is not checked.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "c.safetensors"
    >>> write_checkpoint(path, {"w": np.ones(2, np.float32)}, {"row": "5"})
    >>> read_checkpoint(path)
    ({'w': array([1., 1.], dtype=float32)}, {'format': 'rlx.training.2', 'row': '5'})
    """
    text, stored = read_metadata(path), read_safetensors(path)
    with naming(path):
        if text.get("format") not in (FILE_FORMAT, OLD_FORMAT):
            raise RlxError("RLX703", f"{path} is not a training checkpoint: its format is {text.get('format')!r:.60}", at=None)
        arrays = {name: np.array(tensor.array()) for name, tensor in stored.items()}
        if text["format"] == FILE_FORMAT:
            _check_sums(path, arrays, text)
        return arrays, text


def _check_sums(path: str | Path, arrays: Mapping[str, Array], text: dict[str, str]) -> None:
    sums = json.loads(text.pop(_SUMS))
    actual = {name: _tensor_checksum(name, array) for name, array in arrays.items()} | {_POSITION: _text_checksum(text)}
    wrong = sorted(name for name in sums.keys() | actual.keys() if sums.get(name) != actual.get(name))
    if wrong:
        what = f"tensor {wrong[-1]!r}" if wrong[-1] else "the position"
        message = f"{path}: the checksum of {what} differs" + (f", and of {len(wrong) - 1} more" if wrong[1:] else "")
        raise RlxError("RLX701", message, fix="resume from an earlier checkpoint: this one is damaged", at=None)


def _tensor_checksum(name: str, array: Array) -> str:
    """Computes the checksum of a tensor's name, type, dims and values."""
    digest = hashlib.sha256(f"{name} {DType.of(array.dtype)}{list(array.shape)}".encode("utf-8", "surrogatepass"))
    digest.update(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
    return digest.hexdigest()


def _text_checksum(text: Mapping[str, str]) -> str:
    return hashlib.sha256(json.dumps(sorted(text.items())).encode()).hexdigest()


# -- a folder of pieces ---------------------------------------------------------------------------------------------


class PendingSave:
    """A checkpoint that a thread is writing; `wait()` returns when it is complete, and raises what went wrong."""

    def __init__(self, write: Callable[[], None]) -> None:
        self._error: BaseException | None = None

        def run() -> None:
            try:
                write()
            except BaseException as error:
                self._error = error

        self._thread = threading.Thread(target=run, name="rlx checkpoint")
        self._thread.start()

    def wait(self) -> None:
        """Waits until the checkpoint is written; raises the thread's error."""
        self._thread.join()
        if self._error is not None:
            error, self._error = self._error, None
            raise error


def save_shards(
    folder: Path, session: Session, names: list[str], position: Mapping[str, str], process: int = 0, processes: int = 1
) -> PendingSave:
    """Copies the shards of params and states to the host, and writes them in a thread: the next step may begin."""
    arrays: Any = session.arrays
    pieces: Pieces = {name: arrays.pieces(session.entries[name].array) for name in names}
    shapes: dict[str, list[Any]] = {}
    for name in names:
        array = session.entries[name].array
        shapes[name] = [str(session.entries[name].shape.dtype), [*(() if array is None else array.shape)]]
    return PendingSave(lambda: _write_pieces(folder, pieces, shapes, dict(position), process, processes))


def _write_pieces(
    folder: Path, pieces: Pieces, shapes: Mapping[str, list[Any]], position: dict[str, str], process: int, processes: int
) -> None:
    """Writes this process's shards. A single process renames the complete folder; with several it is complete with all indices."""
    target = folder.with_name(f".{folder.name}.part") if processes == 1 else folder
    with writing(folder):
        if processes == 1 and target.exists():
            shutil.rmtree(target)
        target.mkdir(parents=True, exist_ok=True)
    tensors: dict[str, Array] = {}
    index: dict[str, Any] = {}
    for name, (dtype, dims) in shapes.items():
        pieces_of = []
        for number, (starts, part) in enumerate(pieces[name]):
            tensors[f"{name}@{number}"] = part
            pieces_of.append({"starts": list(starts), "sizes": list(part.shape), "checksum": _checksum(part)})
        index[name] = {"dtype": dtype, "dims": dims, "pieces": pieces_of}
    part_of = f"{process:05}-of-{processes:05}"
    write_safetensors(target / f"pieces-{part_of}.safetensors", tensors, {"format": FORMAT})
    text = {"format": FORMAT, "position": position, "arrays": index}
    with written_whole(target / f"index-{part_of}.json") as file:
        file.write(json.dumps(text).encode())
    if processes == 1:
        with writing(folder):
            if folder.exists():
                shutil.rmtree(folder)
            target.rename(folder)


def _checksum(array: Array) -> str:
    return hashlib.sha256(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data).hexdigest()


@dataclass(frozen=True)
class StoredPiece:
    """Shard of an array in a checkpoint: its offsets, its sizes, and how it is read."""

    starts: tuple[int, ...]
    sizes: tuple[int, ...]
    read: Callable[[], Array] = field(repr=False)


def stored_indices(folder: Path) -> tuple[list[Path], int]:
    """Reads the indices in a checkpoint folder, and how many a complete one has."""
    indices = sorted(folder.glob("index-*-of-*.json"))
    return indices, int(indices[0].stem.rpartition("-")[2]) if indices else 0


class ShardedCheckpoint:
    """A checkpoint folder that `save_shards` wrote: `slice_of(name, slices)` reads a part of an array.

    A folder that is not complete, or one whose pieces do not cover an array, is RLX701.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        indices, count = stored_indices(folder)
        if not indices or len(indices) != count:
            message = f"{folder} has {len(indices)} of {count or 'its'} indices: it was not written to its end"
            raise RlxError("RLX701", message, fix="resume from an earlier checkpoint", at=None)
        self.position: dict[str, str] = {}
        self.shapes: dict[str, tuple[DType, tuple[int, ...]]] = {}
        self._pieces: dict[str, list[StoredPiece]] = {}
        with naming(folder):
            for path in indices:
                self._add(path)

    def _add(self, path: Path) -> None:
        text = read_json(path)
        if text.get("format") != FORMAT:
            raise RlxError("RLX703", f"{path} is not an index of a checkpoint: {text.get('format')!r:.60}", at=None)
        self.position = dict(text["position"])
        stored = read_safetensors(path.with_name(f"pieces{path.stem.removeprefix('index')}.safetensors"))
        for name, entry in text["arrays"].items():
            self.shapes[name] = DType.of(entry["dtype"]), tuple(entry["dims"])
            for number, piece in enumerate(entry["pieces"]):
                tensor = stored[f"{name}@{number}"]
                reading = _Reading(f"{path.parent}: {name!r}", tensor, piece["checksum"])
                made = StoredPiece(tuple(piece["starts"]), tuple(piece["sizes"]), reading)
                self._pieces.setdefault(name, []).append(made)

    def slice_of(self, name: str, slices: tuple[slice, ...]) -> Array:
        """Reads the part of an array between these bounds, from the shards that overlap it."""
        dtype, _ = self.shapes[name]
        array = np.empty([where.stop - where.start for where in slices], dtype.numpy)
        covered = 0
        for piece in self._pieces[name]:
            common = [
                (max(where.start, start), min(where.stop, start + size))
                for where, start, size in zip(slices, piece.starts, piece.sizes, strict=True)
            ]
            if any(stop <= start for start, stop in common):
                continue
            mine = tuple(slice(a - where.start, b - where.start) for (a, b), where in zip(common, slices, strict=True))
            theirs = tuple(slice(a - start, b - start) for (a, b), start in zip(common, piece.starts, strict=True))
            array[mine] = piece.read()[theirs]
            covered += int(np.prod([b - a for a, b in common], dtype=np.int64))
        if covered != array.size:
            message = f"{self.folder}: the pieces of {name!r} have {covered} of {array.size} elements of a slice"
            raise RlxError("RLX701", message, fix="resume from an earlier checkpoint: this one is damaged", at=None)
        return array


class _Reading:
    """Reads a shard; compares its checksum on the first read."""

    def __init__(self, what: str, tensor: Any, checksum: str) -> None:
        self._what, self._tensor, self._checksum = what, tensor, checksum
        self._array: Array | None = None

    def __call__(self) -> Array:
        if self._array is None:
            array = self._tensor.array()
            if _checksum(array) != self._checksum:
                message = f"{self._what}: the checksum of a piece differs"
                raise RlxError("RLX701", message, fix="resume from an earlier checkpoint: this one is damaged", at=None)
            self._array = array
        return self._array


# -- save and load a training ----------------------------------------------------------------------------------------


if TYPE_CHECKING:
    from rlx.train.step import Training


def remove_checkpoint(path: Path) -> None:
    """Removes a checkpoint of either kind, or what is left of one."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def save_training(training: Training, path: str | Path, position: Mapping[str, Any]) -> PendingSave | None:
    """Writes every param and state, and the position in the data; over a mesh a thread continues writing."""
    session, text = training.session, {name: str(value) for name, value in position.items()}
    if session.sharding is not None:
        hosts = Hosts(session)
        if hosts.count > 1:  # shards that another run left there would be read as this one's
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
    """Sets every param and state from a checkpoint of either kind, on one device or any mesh; returns the position saved with it.

    All names, types and sizes are checked before anything is set.
    """
    return _load_shards(training, Path(path)) if Path(path).is_dir() else _load_file(training, path)


def _load_file(training: Training, path: str | Path) -> dict[str, str]:
    arrays, text = read_checkpoint(path)
    _check_arrays(training, path, {name: (DType.of(array.dtype), array.shape) for name, array in arrays.items()}, text)
    if text["format"] == OLD_FORMAT:
        warnings.warn(f"rlx: {path} is from an earlier version without checksums: damage would not be detected", stacklevel=4)
    training.session.set_params({name: arrays[name] for name in training.params})
    for name in training.states:
        training.session.set_state(name, arrays[name])
    return text


def _load_shards(training: Training, path: Path) -> dict[str, str]:
    """Loads a checkpoint folder: each device reads the slices it holds."""
    checkpoint, session = ShardedCheckpoint(path), training.session
    _check_arrays(training, path, checkpoint.shapes, checkpoint.position)
    made: dict[str, Any] = {}
    for name, (dtype, dims) in checkpoint.shapes.items():

        def read(slices: tuple[slice, ...], name: str = name) -> Any:
            return checkpoint.slice_of(name, slices)

        if session.sharding is None:
            made[name] = read(tuple(slice(0, size) for size in dims))
        else:
            arrays: Any = session.arrays
            made[name] = arrays.assembled(dims, dtype, session.spec(name), read)
    session.set_params({name: made[name] for name in training.params})
    for name in training.states:
        session.set_state(name, made[name])
    return checkpoint.position


def _check_arrays(
    training: Training, path: str | Path, found: Mapping[str, tuple[DType, tuple[int, ...]]], text: Mapping[str, str]
) -> None:
    """Checks that a checkpoint has the names, types and sizes of this training, and a microbatch that it has."""
    expected = {*training.params, *training.states}
    if found.keys() != expected:
        what = sorted(expected ^ found.keys())[:4]
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
