"""`jax.config` for programs written for JAX: settings that change nothing here are accepted; others are errors that say what to write."""

from __future__ import annotations

from typing import Any

from rlx.core.errors import RlxError, did_you_mean

_WITHOUT_EFFECT = {
    "jax_default_matmul_precision",  # products of f32 are computed in f32
    "jax_log_compiles",
    "jax_traceback_filtering",
    "jax_check_tracer_leaks",  # a leaked value is always an error
    "jax_threefry_partitionable",
    "jax_compilation_cache_dir",
    "jax_persistent_cache_min_compile_time_secs",
    "jax_persistent_cache_min_entry_size_bytes",
}
_ONLY = {
    "jax_enable_x64": ((False,), "delete the line and pass dtype=rlx.numpy.float64: arrays of 64 bits stay so"),
    "jax_platforms": (("cpu", "", None), "rlx.jit(f, device=…) chooses where a function runs"),
    "jax_platform_name": (("cpu", "", None), "rlx.jit(f, device=…) chooses where a function runs"),
    "jax_debug_nans": ((False,), "rlx.jit(f, trap_nan=True)"),
    "jax_disable_jit": ((False,), "with rlx.disable_jit():"),
    "jax_num_cpu_devices": ((1,), "arrays live on one device; rlx.vmap batches"),
    "jax_numpy_rank_promotion": (("allow",), "check ranks yourself, x.ndim"),
    "jax_numpy_dtype_promotion": (("standard",), "cast with .astype"),
    "jax_debug_infs": ((False,), "rlx.jit(f, trap_nan=True) finds what is not a number"),
}
"""JAX's settings with the values that RLX accepts, and what to write instead of others."""


class JaxSettings:
    """The type of `rlx.config`; `update` accepts JAX's settings."""

    def update(self, name: str, value: Any) -> None:
        """Accepts a JAX setting whose value RLX has anyway; for any other, raises an error with the RLX equivalent.

        >>> import rlx
        >>> rlx.config.update("jax_enable_x64", False)
        """
        if name in _WITHOUT_EFFECT:
            return
        if name not in _ONLY:
            hint = did_you_mean(name, [*_WITHOUT_EFFECT, *_ONLY])
            fix = hint or "delete the line; docs/flags.md lists RLX's environment variables"
            raise RlxError("RLX406", f"config has no setting {name!r}", fix=fix)
        known, instead = _ONLY[name]
        if value not in known:
            raise RlxError("RLX406", f"config.update({name!r}, {value!r})", fix=instead)


config = JaxSettings()
