"""Leaves, outputs and updates: where values enter and leave a graph; and the builders that keep a state of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rlx.core.dtype import DType, DTypeLike
from rlx.core.errors import RlxError, check_is
from rlx.core.quant_scheme import QuantScheme
from rlx.core.shape import Shape
from rlx.ir import emit
from rlx.ir.graph import Ref, not_a_value
from rlx.ir.value import Value
from rlx.module.builders.by_record import OpMethods
from rlx.module.emitter import ShapeLike, Tensor, as_shape
from rlx.ops.quantized.fake_quantize import ScaleMode, Ste
from rlx.ops.random import Rng, as_setting, key_of


class Leaves(OpMethods):
    """Builder methods for leaves, outputs, updates, random sources and running scales."""

    def _leaf(self, kind: str, name: str, shape: Shape, **attrs: Any) -> Value:
        graph = self._graph()
        if kind != "input" and graph.parent is not None:
            raise RlxError("RLX116", f"the {kind} {name!r} in the body {graph.name!r}")
        return self._one(kind, (), {"name": name, "shape": shape, **attrs})

    def input(self, name: str, shape: ShapeLike, dtype: DTypeLike | None = None) -> Value:
        """Declares a tensor that the caller passes to each run.

        >>> from rlx.module import Graph
        >>> Graph("g").input("ids", ("batch", 8), "i32")
        <Value %0 : i32[batch, 8]>
        """
        return self._leaf("input", name, as_shape(shape, dtype))

    def param(self, name: str, shape: ShapeLike, dtype: DTypeLike | None = None, scheme: QuantScheme | str | None = None) -> Value:
        """Declares a weight owned by the session; with a scheme it is packed, and `shape` is its logical `[k, n]`."""
        return self._leaf("param", name, as_shape(shape, dtype), scheme=scheme)

    def state(self, name: str, shape: ShapeLike, dtype: DTypeLike | None = None, init: float = 0) -> Value:
        """Declares a tensor that the session keeps from run to run; `update` sets its next value."""
        return self._leaf("state", name, as_shape(shape, dtype), init=init)

    def constant(self, value: Tensor, dtype: DTypeLike | None = None) -> Value:
        """Adds a constant array; Python numbers become f32 and i32."""
        return emit.constant(self._graph(), value, None if dtype is None else DType.of(dtype))

    def update(self, target: str | Value, value: Tensor) -> None:
        """Declares the value that a state or a param has after the run.

        >>> from rlx.module import Graph
        >>> g = Graph("counting")
        >>> count = g.state("count", (), "i32")
        >>> g.update("count", count + 1)
        """
        graph = self._graph()
        check_is(target, (str, Value), "RLX109", "what is updated", "a state or param, or its name")
        name = target if isinstance(target, str) else str(target.name)
        if graph.parent is not None:
            raise RlxError("RLX116", f"an update of {name!r} in the body {graph.name!r}")
        if graph.frozen:
            raise RlxError("RLX111", f"graph {graph.name!r} is frozen")
        leaf = graph.leaf("state", name) or graph.leaf("param", name)
        if leaf is None:
            known = ", ".join([*graph.states, *graph.params]) or "none"
            raise RlxError("RLX109", f"there is no state or param {name!r} to update", fix=f"those of the graph: {known}")
        if graph.node(leaf).op.attrs.get("scheme") is not None:
            raise RlxError("RLX112", f"update of the packed param {name!r}", fix="packed params are set, not computed")
        if name in graph.updates:
            raise RlxError("RLX109", f"{name!r} is updated twice", fix="one update for each state or param and run")
        new = self._as_value(value)
        if new.type != graph.shape(leaf):
            message = f"update of {name!r} : {graph.shape(leaf)} with a value of {new.type}"
            raise RlxError("RLX102", message, fix="the new value has the leaf's shape and dtype: .astype(…), .reshape(…)")
        graph.updates[name] = new.ref
        graph._hash = None

    def set_outputs(self, outputs: Value | Sequence[Value] | Mapping[str, Value]) -> None:
        """Declare the outputs: a Value, a list, or a dict of names.

        In a list each takes its value's name, else `output_<i>`.

        >>> from rlx.module import Graph
        >>> g = Graph("g")
        >>> x = g.input("x", (3,))
        >>> g.set_outputs([g.exp(x, name="weights"), x + 1])
        >>> list(g.outputs)
        ['weights', 'output_1']
        """
        named: dict[str, Ref] = {}
        if isinstance(outputs, Mapping):
            for name, value in outputs.items():
                if not name:
                    raise RlxError("RLX114", f"an output named {name!r}", fix="a name that is not empty")
                named[name] = self._output(value, f"output {name!r}").ref
        else:
            values = [outputs] if isinstance(outputs, (Value, Ref)) else outputs
            if not isinstance(values, (list, tuple)):
                raise RlxError("RLX114", f"outputs are a {type(outputs).__name__}", fix="a list of Values, or a dict")
            for index, value in enumerate(values):
                one = self._output(value, f"output {index}")
                known = one.name if one.ref.index == 0 else None
                name = f"output_{index}" if known is None or known in named else known
                if name in named:
                    raise RlxError("RLX109", f"two outputs named {name!r}", fix="name them: set_outputs({name: value})")
                named[name] = one.ref
        if not named and not self._graph().updates and not self._graph().has_effect:
            raise RlxError("RLX114", "no outputs and no updates: there is nothing to compute")
        if self._graph().frozen:
            raise RlxError("RLX111", f"graph {self._graph().name!r} is frozen")
        self._graph().set_output_refs(named)

    def _output(self, value: object, what: str) -> Value:
        if isinstance(value, Ref):
            raise not_a_value(value)
        if isinstance(value, (tuple, list, dict)):
            fix = "flatten it: an op with several results is several outputs, [*pair, x] or {'a': pair[0], …}"
            raise RlxError("RLX114", f"{what} is a {type(value).__name__} of {len(value)}", fix=fix)
        if not isinstance(value, Value):
            message = f"{what} is {value!r}, not a Value"
            raise RlxError("RLX114", message, fix="graph.constant(…) makes a Value of a number or an array")
        return emit.into(self._graph(), value)

    def rng(self, name: str, seed: int = 0) -> Rng:
        """Declares a source of random numbers: a u64 state that counts runs, its update, and a key of seed and name.

        >>> from rlx.module import Graph
        >>> g = Graph("g")
        >>> x = g.input("x", (2, 3))
        >>> g.set_outputs([g.rng("dropout", seed=1).dropout(x, rate=0.1)])
        >>> list(g.updates)
        ['dropout']
        """
        if isinstance(seed, bool) or not 0 <= seed < 2**64:
            raise RlxError("RLX105", f"seed {seed!r}", fix="an int from 0 to 2**64 - 1")
        counter = self.state(name, Shape((), "u64"))
        self.update(name, counter + 1)
        return Rng(self.constant(key_of(seed, name)), counter)

    def sample(
        self,
        logits: Tensor,
        key: Tensor,
        counter: Tensor,
        temperature: Tensor | None = None,
        top_k: Tensor | None = None,
        top_p: Tensor | None = None,
        min_p: Tensor | None = None,
        *,
        stream: int = 0,
        name: str | None = None,
    ) -> Value:
        """Emits the sampling of one id per row of logits `[B, V]`; settings are scalars or `[B]`, Python numbers become f32."""
        settings = (as_setting(temperature), top_k, as_setting(top_p), as_setting(min_p))
        return self._one("sample", (logits, key, counter, *settings), {"stream": stream}, name)

    def fake_quantize(
        self,
        x: Tensor,
        scale: Tensor | None = None,
        *,
        bits: int = 8,
        axis: int | None = None,
        ste: Ste | str = "identity",
        scale_mode: ScaleMode | str = "per_batch",
        name: str | None = None,
    ) -> tuple[Value, Value]:
        """Emits clamp(round(x/s), ±q_max)·s, which rounds x to a quantized grid; returns it and the scale s.

        With scale_mode ema(decay) and no scale, the state `<name>_scale` holds the average; the first run uses its own scale.

        >>> from rlx.module import Graph
        >>> g = Graph("g")
        >>> y, scale = g.fake_quantize(g.input("x", (4, 8)), scale_mode="ema(0.9)", name="act")
        >>> list(g.updates)
        ['act_scale']
        """
        mode = ScaleMode.parse(scale_mode)
        grid = {"bits": bits, "axis": axis}
        if mode.kind == "ema" and scale is None:
            if name is None:
                message = f"fake_quantize with scale_mode {mode} keeps a state, which needs a name"
                raise RlxError("RLX105", message, fix="name=…, or give the scale")
            _, own = self._many("fake_quantize", (x, None), grid)
            kept = self.state(f"{name}_scale", own.type)
            scale = self.where(kept == 0.0, own, kept)
            rounded, new = self._many("fake_quantize", (x, scale), {**grid, "ste": ste, "scale_mode": mode}, name)
            self.update(f"{name}_scale", new)
            return rounded, new
        rounded, used = self._many("fake_quantize", (x, scale), {**grid, "ste": ste, "scale_mode": mode}, name)
        return rounded, used
