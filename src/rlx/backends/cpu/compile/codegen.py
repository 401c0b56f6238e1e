"""From LLVM text to object code, and from object code to callable addresses."""

from __future__ import annotations

import ctypes
import hashlib
import itertools
import threading
from functools import lru_cache
from typing import Any

from rlx.backends.cpu.target import Target
from rlx.core import cache, config
from rlx.core.cache import Recent

_OPTIMIZATION = 2
"""LLVM's code-generation level. Kernels are already vectorized and unrolled, so 2 gives the same loops as 3."""

_lock = threading.RLock()
_library_numbers = itertools.count()
_local = threading.local()
"""Per thread, since LLVM's objects are not thread-safe: target machines by target and level."""


def compile_object(text: str, target: Target, opt: int = _OPTIMIZATION) -> bytes:
    """Compiles a module's text to object code. Position-independent, so it can be loaded anywhere and stored on disk.

    Threads compile in parallel; recent results are cached.
    """
    key = (hashlib.sha256(text.encode()).digest(), target, opt)
    known = _objects.get(key)
    if known is None:
        known = _emit(_optimize(text, target, opt), _machine(target, opt))
        _objects[key] = known
    return known


_objects: Recent[tuple[bytes, Target, int], bytes] = Recent(512, 64 << 20, len)
"""Recently compiled object code: at most 512 objects and 64 MB."""


def assembly(text: str, target: Target, opt: int = _OPTIMIZATION) -> str:
    """The assembler text of a module, for dumps."""
    return str(_machine(target, opt).emit_assembly(_optimize(text, target, opt)))


def optimized_text(text: str, target: Target, opt: int = _OPTIMIZATION) -> str:
    """The LLVM text after the short list of passes, for dumps."""
    return str(_optimize(text, target, opt))


def llvm_version() -> tuple[int, ...]:
    """The version of LLVM."""
    from llvmlite import binding

    return tuple(binding.llvm_version_info)


def native_key(target: Target, *parts: str) -> str:
    """The disk cache key of native code: its inputs, the machine, the compiler, and the memory layout."""
    return cache.key(*parts, repr(target), repr(llvm_version()), str(config.CANARIES.on()))


class Loaded:
    """Loaded object code. Addresses stay valid while this object lives."""

    def __init__(self, library: Any, linker: Any) -> None:
        self._library, self._linker = library, linker
        self._found: dict[str, Any] = {}  # a lookup result unloads the library when it is freed: keep all of them together

    def address(self, name: str) -> int:
        """The address of a function by name."""
        with _lock:
            if name not in self._found:
                try:
                    self._found[name] = self._linker.lookup(self._library.name, name)
                except RuntimeError:
                    raise KeyError(f"no function {name!r} in the object") from None
            return int(self._found[name][name])


def load_object(*objects: bytes) -> Loaded:
    """Loads object code into this process, so that it can be called; several objects form one library.

    JITLink puts all sections of an object into one allocation: code addresses its constants with 32-bit offsets, and LLVM's
    older linker, which allocates section by section, aborts the process if free memory is scattered.
    """
    from llvmlite import binding

    with _lock:
        library = binding.JITLibraryBuilder()
        for code in objects:
            library.add_object_img(code)
        library.add_current_process()
        number = next(_library_numbers)
        linker = _linker(number // _LIBRARIES)
        return Loaded(library.link(linker, f"rlx.{number}"), linker)


_LIBRARIES = 32
"""Libraries per linker. LLVM keeps about ten kilobytes for each unloaded library until its linker is freed, which happens with the last
of its libraries."""


def _optimize(text: str, target: Target, opt: int) -> Any:
    """Parses a module in its own context and runs the useful passes: mem2reg and dead code elimination."""
    from llvmlite import binding

    machine = _machine(target, opt)
    module = binding.parse_assembly(text, binding.create_context())
    module.triple = target.triple
    module.data_layout = str(machine.target_data)
    passes = binding.create_new_module_pass_manager()
    if "alwaysinline" in text:
        passes.add_always_inliner_pass()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    passes.run(module, binding.create_pass_builder(machine, binding.create_pipeline_tuning_options(speed_level=2)))
    return module


def _emit(module: Any, machine: Any) -> bytes:
    """Emits object code. llvmlite holds a global lock during every call; this one is long, and needs none since nothing is shared.

    Module, context and machine belong to this thread. If llvmlite no longer exposes the raw function, its own wrapper is used.
    """
    from llvmlite.binding import ffi

    locked = ffi.lib.LLVMPY_TargetMachineEmitToMemory
    emit = getattr(locked, "_cfn", locked)
    with ffi.OutputString() as message:
        memory = emit(machine, module, 1, message)
        if not memory:
            raise RuntimeError(str(message))
    try:
        return ctypes.string_at(ffi.lib.LLVMPY_GetBufferStart(memory), ffi.lib.LLVMPY_GetBufferSize(memory))
    finally:
        ffi.lib.LLVMPY_DisposeMemoryBuffer(memory)


@lru_cache(maxsize=2)
def _initialize(native: bool) -> None:
    """Initializes LLVM for the host machine, or for all targets, which takes 12 MB more."""
    from llvmlite import binding

    if native:
        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
    else:
        binding.initialize_all_targets()
        binding.initialize_all_asmprinters()


def _new_machine(target: Target, opt: int) -> Any:
    from llvmlite import binding

    with _lock:
        _initialize(target.triple == binding.get_process_triple())
    return binding.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu, features=target.features, opt=opt, reloc="pic", codemodel="default"
    )


@lru_cache(maxsize=1)
def _linker(generation: int) -> Any:
    from llvmlite import binding

    return binding.create_lljit_compiler(_new_machine(Target.host(), 0), use_jit_link=True, suppress_errors=True)


def _machine(target: Target, opt: int) -> Any:
    """This thread's LLVM target machine."""
    machines = _local.__dict__.setdefault("machines", {})
    key = (target.triple, target.cpu, target.features, opt)  # kernels of any tuned sizes share one
    if key not in machines:
        machines[key] = _new_machine(target, opt)
    return machines[key]
