"""The instruction sets that kernels are tested for: those this machine can run, and those it can only compile for.

`python -m tests.backends.cpu.levels` prints the names of those it can run.
"""

import os
import re
from dataclasses import replace

from rlx.backends.cpu.compile.codegen import optimized_text
from rlx.backends.cpu.target import Target
from rlx.backends.registry import find_backend

HOST: Target = find_backend("cpu").target  # type: ignore[attr-defined]
"""What the tests compile for: this machine, or the level that RLX_CPU names."""

LEVELS = {name: Target.named(name) for name in ("x86_64", "x86_64-avx2", "x86_64-avx512")}
"""What RLX_CPU may name, from the oldest on."""
BELOW = {name: level for name, level in LEVELS.items() if HOST.is_x86 and level.vector_bytes < HOST.vector_bytes}
"""The levels below the host's, which it runs as well. The host itself stands for its own level."""

EVERY = bool(os.environ.get("RLX_TEST_EVERY_LEVEL"))
TARGETS = [HOST, *list(BELOW.values())[: None if EVERY else 1]]
"""What kernel tests run on: the host and the oldest CPU; with `--long` the levels between as well."""

OTHERS = [Target.named(name) for name in ("x86_64-avx512", "aarch64")]

AVX512_CPUS = [replace(LEVELS["x86_64-avx512"], cpu=cpu) for cpu in ("znver4", "skylake-avx512", "sapphirerapids")]
"""CPUs for which LLVM 22.1 miscompiles a masked store of one lane (rlx/backends/cpu/emit/memory.py, `store_masked`)."""
COMPILED_FOR = AVX512_CPUS if EVERY or HOST.vector_bytes < 64 else AVX512_CPUS[:1]
"""What kernels are compiled for in any case: where the host runs AVX-512 itself, one is enough for every day."""

_MASKED_STORE = re.compile(r"@llvm\.masked\.store\.(\w+)\.p0\(.*<\d+ x i1> <((?:i1 \w+(?:, )?)+)>")


def one_lane_stores(text: str) -> list[str]:
    """The types of the masked stores in an LLVM text whose mask is a constant with one lane."""
    return [kind for kind, mask in _MASKED_STORE.findall(text) if mask.count("true") == 1]


def folded(text: str, target: Target) -> str:
    """An LLVM text with its constants propagated: masks that LLVM can know are written out as constants."""
    from llvmlite import binding

    module = binding.parse_assembly(optimized_text(text, target), binding.create_context())
    passes = binding.create_new_module_pass_manager()
    passes.add_sccp_pass()
    machine = binding.Target.from_triple(target.triple).create_target_machine(cpu=target.cpu, features=target.features)
    passes.run(module, binding.create_pass_builder(machine, binding.create_pipeline_tuning_options(speed_level=2)))
    return str(module)


if __name__ == "__main__":
    print(*(name for name, level in LEVELS.items() if HOST.is_x86 and level.vector_bytes <= HOST.vector_bytes))
