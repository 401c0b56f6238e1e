"""From LLVM text to object code, and from object code to callable addresses."""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import Any

from .target import Target

__all__ = ["Loaded", "assembly", "compile_object", "load_object", "optimized_text"]

_OPTIMIZATION = 2
"""LLVM's code-generation level. Kernels come vectorized and unrolled, so 2 gives the same loops as 3."""

_lock = threading.RLock()


def compile_object(text: str, target: Target, opt: int = _OPTIMIZATION) -> bytes:
    """Object code for a module's text. Position independent, so it can be loaded anywhere and kept on disk."""
    with _lock:
        module = _prepared(text, target, opt)
        return bytes(_machine(target, opt).emit_object(module))


def assembly(text: str, target: Target, opt: int = _OPTIMIZATION) -> str:
    """The assembler text of a module, for dumps."""
    with _lock:
        module = _prepared(text, target, opt)
        return str(_machine(target, opt).emit_assembly(module))


def optimized_text(text: str, target: Target, opt: int = _OPTIMIZATION) -> str:
    """The LLVM text after the short list of passes, for dumps."""
    with _lock:
        return str(_prepared(text, target, opt))


class Loaded:
    """Object code in memory. Addresses stay valid as long as this lives; each object has an engine of its own."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine

    def address(self, name: str) -> int:
        """The address of a function."""
        found = int(self._engine.get_function_address(name))
        if found == 0:
            raise KeyError(f"no function {name!r} in the object")
        return found


def load_object(code: bytes, target: Target | None = None) -> Loaded:
    """Make object code callable in this process."""
    from llvmlite import binding

    with _lock:
        machine = _new_machine(target or Target.host(), 0)
        empty = binding.parse_assembly("")
        engine = binding.create_mcjit_compiler(empty, machine)
        engine.add_object_file(binding.object_file.ObjectFileRef.from_data(code))
        engine.finalize_object()
        return Loaded(engine)


def _prepared(text: str, target: Target, opt: int) -> Any:
    """The parsed module after the passes that pay: variables to registers, dead and duplicate code away."""
    from llvmlite import binding

    _initialize()
    machine = _machine(target, opt)
    module = binding.parse_assembly(text)
    module.triple = target.triple
    module.data_layout = str(machine.target_data)
    passes = binding.create_new_module_pass_manager()
    if "alwaysinline" in text:
        passes.add_always_inliner_pass()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    passes.run(module, _pass_builder(target, opt))
    return module


@lru_cache(maxsize=1)
def _initialize() -> None:
    from llvmlite import binding

    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()


def _new_machine(target: Target, opt: int) -> Any:
    from llvmlite import binding

    _initialize()
    return binding.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu, features=target.features, opt=opt, reloc="pic", codemodel="default"
    )


@lru_cache(maxsize=16)
def _machine(target: Target, opt: int) -> Any:
    return _new_machine(target, opt)


@lru_cache(maxsize=16)
def _pass_builder(target: Target, opt: int) -> Any:
    from llvmlite import binding

    return binding.create_pass_builder(_machine(target, opt), binding.create_pipeline_tuning_options(speed_level=2))
