"""The loops of the tour: what is shown of LLVM IR and assembly."""

from __future__ import annotations

import re

from rlx.backends.cpu.compile.codegen import assembly
from rlx.backends.cpu.target import Target


def hot_loop(text: str) -> list[str]:
    """The loop with the most multiply-adds to the line: from its label to the jump back to it."""
    best: list[str] = []
    block: list[str] = []
    for line in text.splitlines():
        if re.match(r"\.?L?\w+:", line):
            block = []
        block.append(line)
        jump = re.match(r"\s+j\w+\s+(\.?L?\w+)", line)
        if jump and block[0].startswith(f"{jump[1]}:") and density(block, "vfmadd") > density(best, "vfmadd"):
            best = list(block)
    return shortened([re.sub(r"\s*#.*", "", line).expandtabs(8).rstrip() for line in best])


def llvm_loop(text: str) -> list[str]:
    """The block of LLVM IR with the most multiply-adds to the line."""
    blocks: list[list[str]] = [[]]
    for line in text.splitlines():
        if re.match(r"[\w.]+:", line):
            blocks.append([])
        blocks[-1].append(line)
    best = max(blocks, key=lambda block: density(block, "@llvm.fma"))
    return shortened([re.sub(r"\s*;.*", "", line).rstrip() for line in best if line.strip() and line.strip() != "}"])


def density(block: list[str], word: str) -> float:
    """How much of a block is multiply-adds; short ones do not count."""
    found = sum(word in line for line in block)
    return found / len(block) if found >= 6 else 0.0


def shortened(lines: list[str]) -> list[str]:
    """The first and the last lines."""
    return lines if len(lines) <= 56 else [*lines[:40], f"        … {len(lines) - 48} lines more …", *lines[-8:]]


def functions_of(text: str) -> dict[str, str]:
    """LLVM functions by name."""
    return {match[1]: match[0] for match in re.finditer(r"define [^@]*@(\w+)\(.*?\n}\n", text, re.DOTALL)}


def llvm_version() -> str:
    """The version the assembly comes from."""
    from llvmlite import binding

    return ".".join(str(part) for part in binding.llvm_version_info)


def assembly_of(text: str, name: str, target: Target) -> str:
    """The assembly of one function."""
    match = re.search(rf"^{name}:.*?^\.Lfunc_end\d+:", assembly(text, target), re.DOTALL | re.MULTILINE)
    assert match is not None
    return match[0]
