"""Random programs as text that both JAX and RLX run: lines of `jax_functions`, chosen by what JAX accepts, under one or two transforms."""

from __future__ import annotations

import re
import string
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from tests.fuzz.jax_functions import ABSOLUTE, PRELUDE, lines

DTYPES = ("float32", "bfloat16", "float16", "int32", "bool", "complex64", "uint8")
WEIGHTS = (10, 3, 2, 3, 1, 2, 1)
SHAPES = ((3,), (4,), (2, 3), (3, 3), (4, 2), (2, 3, 2), (5,), (1, 3), ())
LARGEST = 1e4  # numbers above it make most functions overflow
LINES = lines()
_FORMATTER = string.Formatter()

TRANSFORMS = {
    "eager": "f(x, y, k)",
    "jit": "jax.jit(f)(x, y, k)",
    "jit static": "jax.jit(f, static_argnums=2)(x, y, 0)",
    "grad": "jax.grad(loss)(x, y, k)",
    "grad concrete": "jax.grad(lambda x, y: loss(x, y, 0), argnums=(0, 1))(x, y)",
    "value_and_grad": "jax.value_and_grad(loss, argnums=1)(x, y, k)",
    "jit grad": "jax.jit(jax.grad(loss))(x, y, k)",
    "grad jit": "jax.grad(jax.jit(loss))(x, y, k)",
    "vmap": "jax.vmap(f, in_axes=(0, None, None))(jnp.stack([x, x[::-1]]), y, k)",
    "vmap both": "jax.vmap(f, in_axes=(0, 0, None))(jnp.stack([x, x]), jnp.stack([y, y[::-1]]), k)",
    "vmap index": "jax.vmap(f, in_axes=(None, None, 0))(x, y, jnp.array([0, 1, -1]))",
    "jit vmap": "jax.jit(jax.vmap(f, in_axes=(0, None, None)))(jnp.stack([x, x[::-1]]), y, k)",
    "vmap grad": "jax.vmap(jax.grad(loss), in_axes=(0, None, None))(jnp.stack([x, x[::-1]]), y, k)",
    "grad vmap": "jax.grad(lambda s: jnp.sum(jax.vmap(loss, in_axes=(0, None, None))(s, y, k)))(jnp.stack([x, x[::-1]]))",
    "jvp": "jax.jvp(lambda x: f(x, y, k), (x,), (x[::-1],))",
    "jit jvp": "jax.jit(lambda x, t: jax.jvp(lambda x: f(x, y, k), (x,), (t,)))(x, x[::-1])",
    "vjp": "(lambda out, back: (out, back(out)))(*jax.vjp(lambda x: loss(x, y, k), x))",
    "linearize": "jax.linearize(lambda x: f(x, y, k), x)[1](x[::-1])",
    "jvp grad": "jax.jvp(lambda x: jax.grad(loss)(x, y, k), (x,), (x[::-1],))",
    "grad grad": "jax.grad(lambda x: jnp.sum(jnp.sin(jnp.real(jax.grad(loss)(x, y, k)))))(x)",
    "hessian": "jax.hessian(lambda x: loss(x, y, k))(x)",
    "jacfwd": "jax.jacfwd(lambda x: loss(x, y, k))(x)",
    "jacrev": "jax.jacrev(lambda x: f(x, y, k)[-1])(x)",
    "checkpoint": "jax.grad(jax.checkpoint(loss))(x, y, k)",
    "vmap jvp": "jax.vmap(lambda t: jax.jvp(lambda x: f(x, y, k), (x,), (t,))[1])(jnp.stack([x, x[::-1]]))",
    "scan": "lax.scan(lambda c, t: (c, f(t, y, k)), 0, jnp.stack([x, x[::-1]]))[1]",
    "grad scan": "jax.grad(lambda s: jnp.sum(lax.scan(lambda c, t: (c, loss(t, y, k)), 0, s)[1]))(jnp.stack([x, x[::-1]]))",
}
LOSS = """
def loss(x, y, k):
    return sum((jnp.sum(jnp.real(v).astype(jnp.float32)) for v in f(x, y, k) if jnp.issubdtype(v.dtype, jnp.inexact)), jnp.float32(0))
"""


@dataclass
class Program:
    """A program's text, its arguments, and what it is called."""

    seed: int
    arguments: dict[str, Any]  # NumPy's arrays, and an int
    body: list[str] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    transform: str = "eager"
    coarsest: float = 0.0  # the largest unit in the last place, relative, of the dtypes that it computes in

    def text(self, absolute: str = "") -> str:
        """Python's text; it needs `jax`, `jnp`, `lax`, `nn` and the arguments; `absolute` names what the results of ABSOLUTE go through."""
        lines = [line.split(" = ", 1) for line in self.body]
        wrapped = [(name, f"{absolute}({text})" if absolute and text.split("(")[0] in ABSOLUTE else text) for name, text in lines]
        body = "".join(f"    {name} = {text}\n" for name, text in wrapped)
        return f"{PRELUDE}\ndef f(x, y, k):\n{body}    return ({', '.join(self.results)},)\n{LOSS}\nresult = {TRANSFORMS[self.transform]}\n"

    @property
    def has_absolute_errors(self) -> bool:
        """Whether a line's error is absolute."""
        return self.text("nudged") != self.text()

    def functions(self) -> set[str]:
        """The names of the functions that its lines call."""
        text = "\n".join([*self.body, TRANSFORMS[self.transform]])
        return set(re.findall(r"\b(?:jnp|lax|nn|jax)\.[a-z_0-9.]+(?=[(,)])", text)) | set(
            re.findall(r"\.at\[.*?\](\.[a-z]+)\(", text)
        )


JAX_NAMES = {"jax": jax, "jnp": jnp, "lax": jax.lax, "nn": jax.nn}


def numbers(random: np.random.Generator, dtype: str, shape: tuple[int, ...]) -> Any:
    """An argument: moderate numbers, with ties and zeros in a third of the arrays."""
    kind = np.dtype(jnp.dtype(dtype)).kind
    if dtype == "bool":
        return random.integers(0, 2, shape).astype(bool)
    if kind in "iu":
        return random.integers(0 if kind == "u" else -4, 6, shape).astype(dtype)
    array = random.standard_normal(shape) * random.choice([0.5, 1.0, 2.0])
    if random.random() < 0.33:
        array = np.round(array)
    if kind == "c":
        array = array + 1j * random.standard_normal(shape)
    return np.asarray(array).astype(jnp.dtype(dtype))


class Writer:
    """Writes one program, running each line in JAX as it goes: a line that JAX rejects, or that grows out of bounds, is not written."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        shape = SHAPES[self.random.integers(len(SHAPES))]
        first, second = self.random.choice(DTYPES, 2, p=np.array(WEIGHTS) / sum(WEIGHTS))
        other = shape if self.random.random() < 0.6 else SHAPES[self.random.integers(len(SHAPES))]
        arguments = {
            "x": numbers(self.random, first, shape),
            "y": numbers(self.random, second, other),
            "k": np.int32(self.random.integers(-2, 2)),
        }
        self.program = Program(seed, arguments)
        self.names: dict[str, Any] = dict(JAX_NAMES)
        exec(PRELUDE, self.names)
        self.values: dict[str, Any] = {name: jnp.asarray(value) for name, value in arguments.items() if name != "k"}
        self.names |= self.values | {"k": jnp.asarray(arguments["k"])}
        for value in self.values.values():
            self.note(value.dtype)

    def pick(self, kind: str) -> str | None:
        """A variable of a kind, one of the last ones more often; None where there is none."""
        fits = {
            "f": lambda v: jnp.issubdtype(v.dtype, jnp.floating),
            "n": lambda v: v.dtype != bool and not jnp.issubdtype(v.dtype, jnp.complexfloating),
            "i": lambda v: jnp.issubdtype(v.dtype, jnp.integer),
            "b": lambda v: v.dtype == bool,
            "c": lambda v: jnp.issubdtype(v.dtype, jnp.complexfloating),
            "m": lambda v: v.ndim == 2 and v.dtype != bool,
            "v": lambda v: v.ndim == 1 and jnp.issubdtype(v.dtype, jnp.inexact),
            "a": lambda v: True,
        }[kind]
        names = [name for name, value in self.values.items() if fits(value)]
        if not names:
            return None
        return str(names[-1] if self.random.random() < 0.4 else self.random.choice(names))

    def fields(self, wanted: list[str]) -> dict[str, str] | None:
        """Text for the fields of a template; None where no variable fits."""
        random, texts = self.random, dict[str, str]()
        kinds = [name for name in wanted if name in ("f", "n", "i", "b", "c", "m", "v", "a")]
        for name in kinds:
            variable = self.pick(name)
            if variable is None:
                return None
            texts[name] = variable
        main = next((texts[name] for name in kinds if name != "b"), next(iter(texts.values()), "x"))
        value = self.values[main]
        same = [name for name, each in self.values.items() if each.dtype == value.dtype]
        rows = value.shape[0] if value.ndim else 1
        literal = str(random.integers(-rows, rows))
        near = "k" if -rows <= int(self.program.arguments["k"]) < rows else literal
        known = {
            "x": main,
            "other": str(random.choice(same)),
            "axis": str(random.integers(-value.ndim, value.ndim) if value.ndim else 0),
            "first": str(random.integers(0, max(value.ndim, 1))),
            "index": str(random.choice([near, near, literal, f"jnp.argmax({main}.ravel()) % {rows}"])),
            "inside": str(random.integers(rows)),
            "mode": str(random.choice(["clip", "fill", "drop", "wrap"])),
            "shift": str(random.integers(-2, 3)),
            "half": "2",
            "few": "2",
            "pad": str(random.choice(["edge", "reflect", "wrap", "symmetric", "constant", "mean"])),
            "padding": str(random.choice(["SAME", "VALID"])),
            "zero": f"jnp.zeros((), {main}.dtype)",
            "lo": str(random.integers(0, 2)),
            "hi": str(random.integers(-1, 2)),
            "inner": str(random.integers(0, 2)),
            "dtype": str(random.choice(DTYPES)),
            "flag": str(bool(random.integers(2))),
            "low": f"jnp.full((), -1, {main}.dtype)",
            "high": f"jnp.full((), 1, {main}.dtype)",
            "pred": str(random.choice([f"{main}.sum() > 0", "k > 0", "True"])),
            "square": f"{main}[:2, :2]",
            "spd": f"({main}[:2, :2] @ {main}[:2, :2].T + 2 * jnp.eye(2, dtype={main}.dtype))",
            "q": f"jnp.broadcast_to({main}.ravel()[:2], (1, 3, 2, 2))",
            "q2": f"jnp.broadcast_to(jnp.cos({main}.ravel()[:2]), (1, 3, 2, 2))",
            "t": self.pick("f") or main,
            "s": f"{self.pick('f') or main}.sum()",
        }
        if {"spd", "square"} & set(wanted):
            matrix = self.pick("m")
            if matrix is None or self.values[matrix].dtype not in (jnp.float32, jnp.complex64):
                return None
            known |= {"spd": known["spd"].replace(main, matrix), "square": f"{matrix}[:2, :2]"}
        if {"q", "q2"} & set(wanted):
            main = self.pick("f") or ""
            known |= {
                "q": f"jnp.broadcast_to({main}.ravel()[:2], (1, 3, 2, 2))",
                "q2": f"jnp.broadcast_to(jnp.cos({main}.ravel()[:2]), (1, 3, 2, 2))",
            }
        return {name: texts.get(name) or known[name] for name in wanted}

    def line(self) -> None:
        """One more line, if JAX accepts it."""
        template = LINES[self.random.integers(len(LINES))]
        wanted = [name for _, name, _, _ in _FORMATTER.parse(template) if name]
        texts = self.fields(wanted)
        if texts is None:
            return
        text = template.format(**texts)
        if "other" in texts and re.match(r"(jnp\.(floor_divide|remainder|mod|fmod)|lax\.(div|rem))\(", text):
            other = texts["other"]  # integers divided by zero are 0 here, as in NumPy
            text = template.format(**(texts | {"other": f"jnp.where({other} == 0, 1, {other}).astype({other}.dtype)"}))
        try:
            value = eval(text, self.names)
        except Exception:
            return
        if (
            not isinstance(value, jax.Array)
            or value.size > 200
            or value.size == 0
            or str(value.dtype) not in (*DTYPES, "int8", "uint32")
        ):
            return
        if jnp.issubdtype(value.dtype, jnp.inexact):
            magnitude = np.abs(np.asarray(value).astype(np.complex128))
            if not (magnitude <= LARGEST).all() and self.random.random() < 0.9:
                return
        name = f"v{len(self.program.body)}"
        self.program.body.append(f"{name} = {text}")
        self.values[name] = self.names[name] = value
        self.note(value.dtype)

    def note(self, dtype: Any) -> None:
        """Keep the coarsest dtype in mind: rounding in it decides how near results can be."""
        if jnp.issubdtype(dtype, jnp.inexact):
            self.program.coarsest = max(self.program.coarsest, float(jnp.finfo(dtype).eps))

    def write(self) -> Program:
        """A program of three to seven lines."""
        length = self.random.integers(3, 8)
        for _ in range(60):
            if len(self.program.body) < length:
                self.line()
        made = [name for name in self.values if name.startswith("v")]
        self.program.results = made[-3:] or ["x"]
        self.program.transform = str(self.random.choice(list(TRANSFORMS)))
        return self.program
