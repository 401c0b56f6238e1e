"""RLX: an ML compiler and runtime for transformers. Public names load when first used."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "rlx.autodiff": "autodiff",
    "rlx.core.device_array": "DeviceArray",
    "rlx.checkpoint_policies": "checkpoint_policies",
    "rlx.core.dim": "Dim sym",
    "rlx.core.dtype": "DType",
    "rlx.core.errors": "LowerError RlxError",
    "rlx.core.enums": "Activation BinaryOp CompareOp FusionPolicy MaskKind OpKind ReduceOp",
    "rlx.core.precision": "CastConfig Precision PrecisionPolicy",
    "rlx.core.report": "Report",
    "rlx.core.quant_scheme": "QuantScheme",
    "rlx.core.shape": "Shape ShapeDtypeStruct",
    "rlx.core.sharding": "Mesh P",
    "rlx.debug": "debug",
    "rlx.generate": "generate",
    "rlx.generate.api": "load_model",
    "rlx.ir.value": "Value",
    "rlx.ir.verify": "verify",
    "rlx.models": "models",
    "rlx.lax": "lax",
    "rlx.nn": "nn",
    "rlx.numpy": "numpy",
    "rlx.module.parse_and_load": "load parse",
    "rlx.module.graph": "Graph",
    "rlx.module.hir": "HirModule",
    "rlx.module.hir_nodes": "HirNode HirNodeId HirOp",
    "rlx.module.levels": "GraphStage LirModule MirModule",
    "rlx.module.modules": "GraphModule",
    "rlx.ops.control.custom_values": "MultiOutputHandle register_op unregister_op",
    "rlx.passes.entry": "Pass",
    "rlx.passes.precision": "AutoMixedPrecision",
    "rlx.quant": "quant",
    "rlx.random": "random",
    "rlx.scipy": "scipy",
    "rlx.ad": "ad",
    "rlx.ad_checkpoint": "ad_checkpoint",
    "rlx.frontends.references": "freeze new_ref",
    "rlx.ref": "ref",
    "rlx.trace.references": "Ref",
    "rlx.experimental": "experimental",
    "rlx.flatten_util": "flatten_util",
    "rlx.ops": "ops",
    "rlx.ir.array_methods": "Array",
    "rlx.runtime.array": "block_until_ready",
    "rlx.runtime.jax_config": "config",
    "rlx.runtime.one_device": "default_backend device_count device_get device_put local_device_count local_devices "
    "process_count process_index",
    "rlx.runtime.scopes": "disable_jit named_scope",
    "rlx.test_util": "test_util",
    "rlx.typing": "typing",
    "rlx.runtime.check": "check",
    "rlx.backends.registry": "devices",
    "rlx.runtime.compile": "lower",
    "rlx.runtime.compile:compile_module": "compile",
    "rlx.functions.checkpoint": "checkpoint checkpoint_name remat",
    "rlx.functions.derivatives": "custom_jvp custom_vjp grad hvp jvp linearize value_and_grad vjp",
    "rlx.transforms.traced_derivatives": "stop_gradient",
    "rlx.runtime.executable": "Executable",
    "rlx.functions.control_flow": "associative_scan cond fori_loop scan switch while_loop",
    "rlx.functions.control_flow:map_rows": "map",
    "rlx.functions.transforms": "hessian jacfwd jacrev vmap",
    "rlx.functions.transforms:jacrev": "jacobian",
    "rlx.functions.eval_shape": "TracedProgram eval_shape make_jaxpr",
    "rlx.functions.jit": "jit",
    "rlx.runtime.save": "load_executable",
    "rlx.runtime.session": "Session",
    "rlx.runtime.threads": "set_threads thread_count",
    "rlx.trace.callbacks": "io_callback pure_callback",
    "rlx.trace.tracer": "put",
    "rlx.train": "train",
    "rlx.trace.tree.functions": "tree_map",
    "rlx.tree": "tree",
    "rlx.tree_util": "tree_util",
}
_PUBLIC = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = [
    "Activation",
    "Array",
    "AutoMixedPrecision",
    "BinaryOp",
    "CastConfig",
    "CompareOp",
    "DType",
    "DeviceArray",
    "Dim",
    "Executable",
    "FusionPolicy",
    "Graph",
    "GraphModule",
    "GraphStage",
    "HirModule",
    "HirNode",
    "HirNodeId",
    "HirOp",
    "LirModule",
    "LowerError",
    "MaskKind",
    "Mesh",
    "MirModule",
    "MultiOutputHandle",
    "OpKind",
    "P",
    "Pass",
    "Precision",
    "PrecisionPolicy",
    "QuantScheme",
    "ReduceOp",
    "Ref",
    "Report",
    "RlxError",
    "Session",
    "Shape",
    "ShapeDtypeStruct",
    "TracedProgram",
    "Value",
    "ad",
    "ad_checkpoint",
    "associative_scan",
    "autodiff",
    "block_until_ready",
    "check",
    "checkpoint",
    "checkpoint_name",
    "checkpoint_policies",
    "compile",
    "cond",
    "config",
    "custom_jvp",
    "custom_vjp",
    "debug",
    "default_backend",
    "device_count",
    "device_get",
    "device_put",
    "devices",
    "disable_jit",
    "eval_shape",
    "experimental",
    "flatten_util",
    "fori_loop",
    "freeze",
    "generate",
    "grad",
    "hessian",
    "hvp",
    "io_callback",
    "jacfwd",
    "jacobian",
    "jacrev",
    "jit",
    "jvp",
    "lax",
    "linearize",
    "load",
    "load_executable",
    "load_model",
    "local_device_count",
    "local_devices",
    "lower",
    "make_jaxpr",
    "map",
    "models",
    "named_scope",
    "new_ref",
    "nn",
    "numpy",
    "ops",
    "parse",
    "process_count",
    "process_index",
    "pure_callback",
    "put",
    "quant",
    "random",
    "ref",
    "register_op",
    "remat",
    "scan",
    "scipy",
    "set_threads",
    "stop_gradient",
    "switch",
    "sym",
    "test_util",
    "thread_count",
    "train",
    "tree",
    "tree_map",
    "tree_util",
    "typing",
    "unregister_op",
    "value_and_grad",
    "verify",
    "vjp",
    "vmap",
    "while_loop",
]

if TYPE_CHECKING:
    from rlx import (
        ad,
        ad_checkpoint,
        autodiff,
        checkpoint_policies,
        debug,
        experimental,
        flatten_util,
        generate,
        lax,
        models,
        nn,
        numpy,
        ops,
        quant,
        random,
        ref,
        scipy,
        test_util,
        train,
        tree,
        tree_util,
        typing,
    )
    from rlx.backends.registry import devices
    from rlx.core.device_array import DeviceArray
    from rlx.core.dim import Dim, sym
    from rlx.core.dtype import DType
    from rlx.core.enums import Activation, BinaryOp, CompareOp, FusionPolicy, MaskKind, OpKind, ReduceOp
    from rlx.core.errors import LowerError, RlxError
    from rlx.core.precision import CastConfig, Precision, PrecisionPolicy
    from rlx.core.quant_scheme import QuantScheme
    from rlx.core.report import Report
    from rlx.core.shape import Shape, ShapeDtypeStruct
    from rlx.core.sharding import Mesh, P
    from rlx.frontends.references import freeze, new_ref
    from rlx.functions.checkpoint import checkpoint, checkpoint_name, remat
    from rlx.functions.control_flow import associative_scan, cond, fori_loop, scan, switch, while_loop
    from rlx.functions.control_flow import map_rows as map
    from rlx.functions.derivatives import custom_jvp, custom_vjp, grad, hvp, jvp, linearize, value_and_grad, vjp
    from rlx.functions.eval_shape import TracedProgram, eval_shape, make_jaxpr
    from rlx.functions.jit import jit
    from rlx.functions.transforms import hessian, jacfwd, jacrev, vmap
    from rlx.functions.transforms import jacrev as jacobian
    from rlx.generate.api import load_model
    from rlx.ir.array_methods import Array
    from rlx.ir.value import Value
    from rlx.ir.verify import verify
    from rlx.module.graph import Graph
    from rlx.module.hir import HirModule
    from rlx.module.hir_nodes import HirNode, HirNodeId, HirOp
    from rlx.module.levels import GraphStage, LirModule, MirModule
    from rlx.module.modules import GraphModule
    from rlx.module.parse_and_load import load, parse
    from rlx.ops.control.custom_values import MultiOutputHandle, register_op, unregister_op
    from rlx.passes.entry import Pass
    from rlx.passes.precision import AutoMixedPrecision
    from rlx.runtime.array import block_until_ready
    from rlx.runtime.check import check
    from rlx.runtime.compile import compile_module as compile
    from rlx.runtime.compile import lower
    from rlx.runtime.executable import Executable
    from rlx.runtime.jax_config import config
    from rlx.runtime.one_device import (
        default_backend,
        device_count,
        device_get,
        device_put,
        local_device_count,
        local_devices,
        process_count,
        process_index,
    )
    from rlx.runtime.save import load_executable
    from rlx.runtime.scopes import disable_jit, named_scope
    from rlx.runtime.session import Session
    from rlx.runtime.threads import set_threads, thread_count
    from rlx.trace.callbacks import io_callback, pure_callback
    from rlx.trace.references import Ref
    from rlx.trace.tracer import put
    from rlx.trace.tree.functions import tree_map
    from rlx.transforms.traced_derivatives import stop_gradient


def _load(name: str) -> Any:
    """A public name, from the module that has it."""
    if name not in _PUBLIC:
        from rlx.core.errors import did_you_mean

        hint = "" if name.startswith("_") else _elsewhere(name) or did_you_mean(name, _PUBLIC)
        raise AttributeError(f"module 'rlx' has no attribute {name!r}" + (f"; {hint}" if hint else ""))
    from rlx.core.this_process import import_to_stay

    module, _, attribute = _PUBLIC[name].partition(":")
    found = import_to_stay(module)
    value = found if module == f"rlx.{name}" else getattr(found, attribute or name)
    globals()[name] = value
    return value


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
}
"""Names of JAX and torch that RLX has under another, or does not have."""


def _elsewhere(name: str) -> str:
    """Where a name is that users of JAX, NumPy or torch look for here."""
    if name in _INSTEAD:
        return f"use {_INSTEAD[name]}"
    for module in ("rlx.numpy", "rlx.lax", "rlx.nn", "rlx.random"):
        if hasattr(importlib.import_module(module), name):
            return f"use {module}.{name}"
    return ""


if not TYPE_CHECKING:  # to them every other name would be one of type Any
    __getattr__ = _load


def __dir__() -> list[str]:
    return sorted([*__all__, *(name for name in globals() if name.startswith("__"))])
