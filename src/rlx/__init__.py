"""RLX: an ML compiler and runtime for transformers. Public names load when first used."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_PUBLIC: dict[str, str] = {
    "Activation": "rlx.core.kinds",
    "AutoMixedPrecision": "rlx.passes.precision",
    "BinaryOp": "rlx.core.kinds",
    "CastConfig": "rlx.core.precision",
    "CompareOp": "rlx.core.kinds",
    "DType": "rlx.core.dtype",
    "Dim": "rlx.core.dim",
    "Executable": "rlx.runtime.executable",
    "FusionPolicy": "rlx.core.kinds",
    "Graph": "rlx.module.graph",
    "GraphModule": "rlx.module.modules",
    "GraphStage": "rlx.module.modules",
    "HirModule": "rlx.module.modules",
    "LirModule": "rlx.module.modules",
    "LowerError": "rlx.core.errors",
    "MaskKind": "rlx.core.kinds",
    "MirModule": "rlx.module.modules",
    "OpKind": "rlx.core.kinds",
    "Precision": "rlx.core.precision",
    "PrecisionPolicy": "rlx.core.precision",
    "QuantScheme": "rlx.core.scheme",
    "ReduceOp": "rlx.core.kinds",
    "Report": "rlx.core.report",
    "RlxError": "rlx.core.errors",
    "Session": "rlx.runtime.session",
    "Shape": "rlx.core.shape",
    "Value": "rlx.ir.value",
    "autodiff": "rlx.autodiff",
    "check": "rlx.runtime.check",
    "checkpoint": "rlx.transforms.public",
    "compile": "rlx.runtime.compile:compile_module",
    "cond": "rlx.trace.control",
    "custom_jvp": "rlx.transforms.public",
    "custom_vjp": "rlx.transforms.public",
    "devices": "rlx.runtime.compile",
    "generate": "rlx.generate",
    "grad": "rlx.transforms.public",
    "hvp": "rlx.transforms.public",
    "jacfwd": "rlx.transforms.on_arrays",
    "jacrev": "rlx.transforms.on_arrays",
    "jit": "rlx.runtime.jit",
    "jvp": "rlx.transforms.public",
    "linearize": "rlx.transforms.public",
    "load": "rlx.module.files",
    "load_executable": "rlx.runtime.save",
    "load_model": "rlx.generate.api",
    "lower": "rlx.runtime.compile",
    "models": "rlx.models",
    "parse": "rlx.module.files",
    "put": "rlx.runtime.jit",
    "quant": "rlx.quant",
    "register_op": "rlx.ops.control.custom",
    "scan": "rlx.trace.control",
    "set_threads": "rlx.runtime.threads",
    "stop_gradient": "rlx.transforms.public",
    "sym": "rlx.core.dim",
    "thread_count": "rlx.runtime.threads",
    "train": "rlx.train",
    "unregister_op": "rlx.ops.control.custom",
    "value_and_grad": "rlx.transforms.public",
    "verify": "rlx.ir.verify",
    "vjp": "rlx.transforms.public",
    "vmap": "rlx.transforms.on_arrays",
    "while_loop": "rlx.trace.control",
}

if TYPE_CHECKING:
    from rlx import autodiff, generate, models, quant, train
    from rlx.core.dim import Dim, sym
    from rlx.core.dtype import DType
    from rlx.core.errors import LowerError, RlxError
    from rlx.core.kinds import Activation, BinaryOp, CompareOp, FusionPolicy, MaskKind, OpKind, ReduceOp
    from rlx.core.precision import CastConfig, Precision, PrecisionPolicy
    from rlx.core.report import Report
    from rlx.core.scheme import QuantScheme
    from rlx.core.shape import Shape
    from rlx.ir.value import Value
    from rlx.ir.verify import verify
    from rlx.module.files import load, parse
    from rlx.module.graph import Graph
    from rlx.module.modules import GraphModule, GraphStage, HirModule, LirModule, MirModule
    from rlx.ops.control.custom import register_op, unregister_op
    from rlx.passes.precision import AutoMixedPrecision
    from rlx.runtime.check import check
    from rlx.runtime.compile import compile_module as compile
    from rlx.runtime.compile import devices, lower
    from rlx.runtime.executable import Executable
    from rlx.runtime.jit import jit, put
    from rlx.runtime.save import load_executable
    from rlx.runtime.session import Session
    from rlx.runtime.threads import set_threads, thread_count
    from rlx.trace.control import cond, scan, while_loop
    from rlx.transforms.on_arrays import jacfwd, jacrev, vmap
    from rlx.transforms.public import (
        checkpoint,
        custom_jvp,
        custom_vjp,
        grad,
        hvp,
        jvp,
        linearize,
        stop_gradient,
        value_and_grad,
        vjp,
    )

__all__ = list(_PUBLIC)


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        from rlx.core.errors import did_you_mean

        hint = "" if name.startswith("_") else did_you_mean(name, _PUBLIC)
        raise AttributeError(f"module 'rlx' has no attribute {name!r}" + (f"; {hint}" if hint else ""))
    module, _, attribute = _PUBLIC[name].partition(":")
    found = importlib.import_module(module)
    value = found if module == f"rlx.{name}" else getattr(found, attribute or name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_PUBLIC])
