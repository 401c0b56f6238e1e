"""RLX: an ML compiler and runtime for transformers. The public names stand in `__init__.pyi`; each loads when it is first used."""

__version__ = "0.1.0"

_PUBLIC: dict[str, tuple[str, str]] = {}
"""The module and the attribute behind each name; empty until one is first used."""

_INSTEAD = {
    "np": "rlx.numpy",
    "from_torch": "rlx.numpy.asarray takes tensors, rlx.load_model whole models",
    "from_jax": "rlx.numpy.asarray takes arrays of JAX; its functions run with changed imports (docs/coming-from-jax.md)",
    "from_onnx": "rlx.load_model reads GGUF files and folders of safetensors, rlx.numpy.asarray arrays",
    "pmap": "rlx.vmap: there is one device so far",
    "shard_map": "rlx.vmap: there is one device so far",
    "sharding": "x.sharding and x.devices() of an array: there is one device so far",
    "make_mesh": "rlx.vmap: there is one device so far",
    "default_device": "rlx.jit(f, device=…)",
    "debug_nans": "rlx.jit(f, trap_nan=True)",
    "debug_infs": "rlx.jit(f, trap_nan=True), which finds what is not a number",
    "enable_x64": "dtype=rlx.numpy.float64: arrays of 64 bits stay so",
    "effects_barrier": "nothing: a call returns when its callbacks have run",
    "clear_caches": "nothing: programs go with the functions they belong to",
    "export": "rlx.jit(f).lower(x).compile().executable.save(path), then rlx.load_executable(path)",
    "profiler": "rlx.jit(f).lower(x).compile().executable.profile(…)",
    "custom_gradient": "rlx.custom_vjp",
    "named_call": "rlx.named_scope",
    "dtypes": "rlx.numpy, whose dtypes are the same: rlx.numpy.issubdtype, rlx.numpy.bfloat16",
    "dlpack": "rlx.numpy.from_dlpack",
    "typeof": "rlx.eval_shape(lambda x: x, x)",
    "extend": "rlx.make_jaxpr(f)(x).graph to read a program, rlx.register_op for an op of your own",
    "stages": "rlx.jit(f).lower(x) and its compile()",
    "image": "rlx.numpy and indexing",
    "errors": "rlx.RlxError",
    "hvp": "rlx.jvp(rlx.grad(f), (x,), (v,))[1], of a graph rlx.autodiff.hvp",
    "jacobian": "rlx.jacrev",
    "tree_map": "rlx.tree.map",
}
"""Names of JAX, torch and earlier commits that RLX has under another, or does not have."""


def __getattr__(name: str) -> object:
    """A public name, from the module that has it."""
    if not _PUBLIC:
        _read_names()
        if name == "__all__":
            return globals()[name]
    if name not in _PUBLIC:
        hint = "" if name.startswith("_") else _elsewhere(name)
        raise AttributeError(f"module 'rlx' has no attribute {name!r}" + (f"; {hint}" if hint else ""))
    from rlx.core.this_process import import_to_stay

    home, attribute = _PUBLIC[name]
    value = import_to_stay(f"rlx.{name}") if home == "rlx" else getattr(import_to_stay(home), attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    if not _PUBLIC:
        _read_names()
    return sorted([*globals()["__all__"], *(name for name in globals() if name.startswith("__"))])


def _read_names() -> None:
    """Read the lines `from HOME import ATTRIBUTE as NAME`: `__all__` holds the names before the split, not those of JAX after it."""
    names: dict[str, tuple[str, str]] = {}
    for line in __spec__.loader.get_data(f"{__path__[0]}/__init__.pyi").decode().splitlines():
        if line.startswith("from "):
            _, home, _, attribute, _, name = line.split()
            names[name] = home, attribute
        elif line == "# isort: split":
            globals()["__all__"] = sorted(names)
    _PUBLIC.update(names)


def _elsewhere(name: str) -> str:
    """Where a name is that users of JAX, NumPy, torch or the Rust RLX look for here."""
    from importlib import import_module

    from rlx.core.errors import did_you_mean

    if name in _INSTEAD:
        return f"use {_INSTEAD[name]}"
    for module in ("rlx.compat", "rlx.graphs", "rlx.numpy", "rlx.lax", "rlx.nn", "rlx.random"):
        if hasattr(import_module(module), name):
            return f"use {module}.{name}"
    return did_you_mean(name, _PUBLIC)
