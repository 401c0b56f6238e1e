"""From LLVM text to object code, and from object code to callable addresses."""

from __future__ import annotations

import itertools
import threading
from functools import lru_cache
from typing import Any

from .target import Target

__all__ = ["Loaded", "assembly", "compile_object", "load_object", "optimized_text"]

_OPTIMIZATION = 2
"""LLVM's code-generation level. Kernels come vectorized and unrolled, so 2 gives the same loops as 3."""

_lock = threading.RLock()
_library_numbers = itertools.count()


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
    """Object code in memory. Addresses stay valid as long as this lives; each object is a library of its own."""

    def __init__(self, library: Any) -> None:
        self._library = library
        self._found: dict[str, Any] = {}  # what a lookup returns unloads the library when it goes: all go together

    def address(self, name: str) -> int:
        """The address of a function."""
        with _lock:
            if name not in self._found:
                try:
                    self._found[name] = _linker().lookup(self._library.name, name)
                except RuntimeError:
                    raise KeyError(f"no function {name!r} in the object") from None
            return int(self._found[name][name])


def load_object(code: bytes) -> Loaded:
    """Make object code callable in this process.

    JITLink puts all sections of an object into one piece of memory: code reaches its constants by 32-bit distances, and LLVM's
    older linker, which asks for memory section by section, ends a process whose free memory is scattered.
    """
    from llvmlite import binding

    with _lock:
        library = binding.JITLibraryBuilder().add_object_img(code).add_current_process()
        return Loaded(library.link(_linker(), f"rlx.{next(_library_numbers)}"))


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


@lru_cache(maxsize=1)
def _linker() -> Any:
    from llvmlite import binding

    return binding.create_lljit_compiler(_new_machine(Target.host(), 0), use_jit_link=True, suppress_errors=True)


@lru_cache(maxsize=16)
def _machine(target: Target, opt: int) -> Any:
    return _new_machine(target, opt)


@lru_cache(maxsize=16)
def _pass_builder(target: Target, opt: int) -> Any:
    from llvmlite import binding

    return binding.create_pass_builder(_machine(target, opt), binding.create_pipeline_tuning_options(speed_level=2))
