"""Native code that reads the addresses of Python's arrays and optionally checks the arrays.

Checks that take microseconds in Python take nanoseconds here: is it an array, of this dtype and shape, dense, writable, not overlapping
with the others? If any check fails, the run does nothing, and Python finds out what is wrong.
"""

from __future__ import annotations

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.types import I8, I32, I64, PTR
from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.run.address import LAYOUT, ArrayLayout
from rlx.backends.cpu.run.commands import JobField, RecordField


def read_arrays(k: Function, job: Value, buffers: Value) -> Value:
    """Fill in the addresses of buffers that are arrays; returns whether the run can proceed. See `Job.take_arrays`."""
    fits = k.var(1)
    if LAYOUT is not None:
        ids, records = k.load(job, JobField.ARRAYS, PTR), k.load(job, JobField.RECORDS, PTR)
        count, checked = k.load(job, JobField.N_ARRAYS, I64), k.load(job, JobField.CHECKED, I64) != 0
        for number in k.range(count):
            array, record = k.load(ids, number, PTR), _record(k, records, number)
            with k.when(checked):
                fits.set(fits.get() & _fits(k, LAYOUT, array, record))
            with k.when(fits.get() != 0):
                data, place = k.load(k.pointer(array, LAYOUT.data, I8), 0, I64), k.load(record, RecordField.BUFFER, I64)
                k.store(data, record, RecordField.DATA)
                with k.when(place >= 0):
                    k.store(data, buffers, place)
        with k.when(checked & (fits.get() != 0)):
            inputs = k.load(job, JobField.N_INPUTS, I64)
            for output in k.range(inputs, count):
                for other in k.range(output):
                    apart = _apart(k, _record(k, records, output), _record(k, records, other))
                    fits.set(fits.get() & k.select(apart, 1, 0))
    return fits.get() != 0


def _record(k: Function, records: Value, number: Value) -> Value:
    return k.pointer(records, number * len(RecordField), I64)


def _fits(k: Function, layout: ArrayLayout, array: Value, record: Value) -> Value:
    """1 for an array that matches its record, else 0. For other objects only the type is read."""

    def read(field: int, kind: object = I64) -> Value:
        return k.load(k.pointer(array, field, I8), 0, kind)  # type: ignore[arg-type]

    result = k.var(0)
    with k.when(read(layout.kind) == k.load(record, RecordField.KIND, I64)):
        rank, flags = k.convert(read(layout.rank, I32), I64), k.convert(read(layout.flags, I32), I64)
        wanted = k.load(record, RecordField.FLAGS, I64)
        alike = (rank == k.load(record, RecordField.RANK, I64)) & (read(layout.dtype) == k.load(record, RecordField.DTYPE, I64))
        with k.when(alike & ((flags & wanted) == wanted)):
            result.set(1)
            sizes, known = read(layout.dims, PTR), k.load(record, RecordField.DIMS, PTR)
            for axis in k.range(rank):
                same = k.load(sizes, axis, I64) == k.load(known, axis, I64)
                result.set(result.get() & k.select(same, 1, 0))
    return result.get()


def _apart(k: Function, first: Value, second: Value) -> Value:
    """Whether two arrays do not overlap."""
    start, length = (k.load(first, field, I64) for field in (RecordField.DATA, RecordField.BYTES))
    other, extent = (k.load(second, field, I64) for field in (RecordField.DATA, RecordField.BYTES))
    return (start + length <= other) | (other + extent <= start)
