"""What a compiled kernel takes of a multiprocessor, read from its cubin by the `cuobjdump` of Triton's package."""

from __future__ import annotations

import re
import subprocess
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from rlx.backends.cuda.triton_compile import Cubin

REGISTERS = 65536  # of a multiprocessor, all that a block may have


@dataclass(frozen=True)
class Resources:
    """Registers of a thread, bytes of its stack (which spilled registers and arrays lie in), threads of a block."""

    registers: int
    stack: int
    threads: int

    @property
    def fits(self) -> bool:
        """Whether a block of it can run."""
        return self.registers * self.threads <= REGISTERS


def cuobjdump() -> str | None:
    """The path of the program, if Triton's package has it."""
    spec = find_spec("triton")
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin).parent / "backends" / "nvidia" / "bin" / "cuobjdump"
    return str(path) if path.exists() else None


def resources_of(cubin: Cubin) -> Resources:
    """Of the only kernel in a cubin."""
    program = cuobjdump()
    assert program is not None
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin.code)
        file.flush()
        text = subprocess.run([program, "-res-usage", file.name], capture_output=True, text=True, check=True).stdout
    (found,) = re.findall(r"REG:(\d+) STACK:(\d+)", text)
    return Resources(int(found[0]), int(found[1]), 32 * cubin.warps)
