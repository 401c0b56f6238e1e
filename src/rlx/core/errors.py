"""Errors that answer: a code, what was expected, what came, the user's line, and a fix.

Every error a user can meet is raised through :class:`RlxError` with a code of the table below; `docs/errors.md` is generated from it.
"""

from __future__ import annotations

import linecache
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from types import FrameType
from typing import Any

PACKAGE_FOLDER = str(Path(__file__).resolve().parent.parent)
LIBRARY_FOLDER = str(Path(linecache.__file__).resolve().parent)


@dataclass(frozen=True)
class ErrorInfo:
    """One row of the error table: what the code means and what usually helps."""

    title: str
    help: str


ERRORS: dict[str, ErrorInfo] = {
    # 1xx: building a graph
    "RLX101": ErrorInfo(
        "wrong number of operands", "Look at the builder's signature: `help(graph.<op>)` lists operands and attributes."
    ),
    "RLX102": ErrorInfo(
        "operand shapes do not fit",
        "The message names both shapes and the sizes that differ; reshape, transpose or broadcast one of them.",
    ),
    "RLX103": ErrorInfo(
        "operand dtype not accepted",
        "Cast with `.astype(...)`; `docs/ops.md` lists each op's dtypes, device by device.",
    ),
    "RLX104": ErrorInfo("axis out of range", "Axes run from -rank to rank - 1."),
    "RLX105": ErrorInfo("attribute not accepted", "The message says which values the attribute takes."),
    "RLX106": ErrorInfo(
        "reshape changes the number of elements", "The product of the sizes must stay; one size may be -1."
    ),
    "RLX107": ErrorInfo(
        "values of two graphs mixed",
        "Use values of one graph; a body may close over values of the graph around it, never the reverse.",
    ),
    "RLX108": ErrorInfo(
        "a Value used as a Python bool, number or sequence",
        "The value exists only at run time: use `where`, `cond` or `while_loop`, or a static size.",
    ),
    "RLX109": ErrorInfo(
        "name taken or unknown", "Inputs, params, states and outputs of one graph have names of their own."
    ),
    "RLX110": ErrorInfo(
        "literal does not fit",
        "A weak Python number takes the tensor's dtype; cast the tensor or choose another number.",
    ),
    "RLX111": ErrorInfo(
        "graph is frozen", "A graph used as a body or compiled is not changed any more; build a new one."
    ),
    "RLX112": ErrorInfo(
        "packed param used where only dense values go", "`matmul`, `gather` and `grouped_matmul` read packed params."
    ),
    "RLX113": ErrorInfo("unknown op or method", "The message lists similar names."),
    "RLX114": ErrorInfo(
        "outputs not accepted",
        "Pass a list of Values or a dict of name to Value; nested tuples are flattened by the caller.",
    ),
    "RLX115": ErrorInfo(
        "index out of range", "Static indices are checked while building; they run from -size to size - 1."
    ),
    "RLX116": ErrorInfo(
        "not allowed in a body", "Params, states and updates belong to the graph; a body may close over them."
    ),
    # 2xx: symbols
    "RLX201": ErrorInfo("symbol with two bounds", "Make the Dim once and use it everywhere, or give equal bounds."),
    "RLX202": ErrorInfo(
        "cannot be proved for every size", "State it: `graph.assume(a == b)`; it is checked when sizes are bound."
    ),
    "RLX203": ErrorInfo("size outside the symbol's bounds", "Widen `Dim(name, min=, max=)`, or pass another size."),
    "RLX204": ErrorInfo("two sizes for one symbol", "The message names both inputs and the sizes they have."),
    "RLX205": ErrorInfo(
        "symbol not determined by any input",
        "A symbol binds where it stands alone in the shape of an input or a state.",
    ),
    "RLX206": ErrorInfo(
        "compound size does not hold",
        "Compound dims are checked, never solved: the input's size must equal the expression.",
    ),
    "RLX207": ErrorInfo("assumption does not hold", "The sizes passed contradict `graph.assume(...)`."),
    "RLX208": ErrorInfo(
        "size too large",
        "Pass smaller sizes: the bytes of a tensor, and every size a run computes, must stay below 2**63.",
    ),
    # 3xx: text, files, verification
    "RLX301": ErrorInfo("text does not parse", "The message shows the line and what was expected there."),
    "RLX302": ErrorInfo(
        "graph is not valid", "A pass or a hand-made node broke a rule of the IR; the message names node and rule."
    ),
    "RLX303": ErrorInfo("file not readable", "The file is not of this format or version, or it is damaged."),
    "RLX304": ErrorInfo(
        "file not written", "The disk is full or the folder takes no files; what was there before is unchanged."
    ),
    # 4xx: lowering and compiling
    "RLX401": ErrorInfo(
        "wrong number of inputs of a block", "The table of blocks in `docs/levels.md` lists the inputs in order."
    ),
    "RLX402": ErrorInfo(
        "call at the wrong stage", "The message names the stage the module is at and the call that gets you there."
    ),
    "RLX403": ErrorInfo(
        "not supported on this device", "The table in `docs/ops.md` says what each device does, and why not."
    ),
    "RLX404": ErrorInfo("unknown device", "`rlx.devices()` lists them."),
    "RLX405": ErrorInfo(
        "a choice that the options forbid",
        "`strict=True` refuses silent choices (casts, copies, fallbacks), `assert_fusion_clean=True` fusions left out.",
    ),
    "RLX406": ErrorInfo("option not accepted", "The message lists what the option takes."),
    "RLX407": ErrorInfo(
        "code for another machine", "A saved executable runs on CPUs that have every feature it was compiled for."
    ),
    # 5xx: running
    "RLX501": ErrorInfo("unknown input", "The message lists the inputs of the executable."),
    "RLX502": ErrorInfo("missing input", "Every input needs an array in `run({...})`."),
    "RLX503": ErrorInfo("input with the wrong shape", "The message shows the declared shape and the array's."),
    "RLX504": ErrorInfo("input with the wrong dtype", "Nothing is cast silently: pass `array.astype(...)`."),
    "RLX505": ErrorInfo("param not set", "`exe.set_param(name, array)` before the first run."),
    "RLX506": ErrorInfo(
        "session clash",
        "Executables of one session share params and states by name: shape, dtype and scheme must agree.",
    ),
    "RLX507": ErrorInfo(
        "output buffer not accepted",
        "`out=` takes writable C-contiguous arrays of the output's shape and dtype, `donate=` such inputs that are nobody else's.",
    ),
    "RLX508": ErrorInfo("index out of bounds at run time", "`check_bounds=True` found an index outside the axis."),
    "RLX509": ErrorInfo(
        "state has no value, or is in use",
        "`session.init_state(...)` binds the symbols in state shapes; the states of a loaded model serve one stream of text at a time.",
    ),
    "RLX510": ErrorInfo("a value became NaN or infinite", "`trap_nan=True` names the op and the line that made it."),
    "RLX511": ErrorInfo(
        "singular matrix",
        "A system of equations has no unique solution; check the data, or add a small number to the diagonal.",
    ),
    "RLX512": ErrorInfo(
        "a kernel wrote outside its slot",
        "A fault of RLX found by `RLX_CANARIES=1`: please report the kernel and the shapes.",
    ),
    "RLX513": ErrorInfo(
        "packed param in other parts",
        "`set_param` takes the arrays its scheme stores: bytes, a dict by part, or a tuple in order.",
    ),
    "RLX514": ErrorInfo(
        "not enough memory", "The message says how many bytes were wanted; pass smaller sizes, or free memory."
    ),
    # 6xx: transforms
    "RLX601": ErrorInfo(
        "no derivative", "`docs/ops.md` says why an op has none; `rlx.custom_vjp` or `stop_gradient` go around it."
    ),
    "RLX602": ErrorInfo(
        "not something to differentiate by", "`wrt` takes floats and complex numbers of the graph: Values, or names."
    ),
    "RLX603": ErrorInfo(
        "gradient of something that is not one number",
        "`grad` takes one scalar output; `vjp` takes any, with its seeds.",
    ),
    "RLX604": ErrorInfo(
        "reverse through a loop without a limit", "`while_loop(…, max_iterations=n)`; forward mode needs no limit."
    ),
    "RLX605": ErrorInfo(
        "a derivative rule broke its contract",
        "A gradient has the shape and dtype of its operand, a tangent those of its result.",
    ),
    "RLX611": ErrorInfo(
        "cannot be batched",
        "`docs/ops.md` says how each op is batched; `vmap` treats params and states as shared by all examples.",
    ),
    "RLX612": ErrorInfo(
        "batch axes do not fit", "`in_axes` has an axis or None for each input; all batched inputs have one size there."
    ),
    "RLX621": ErrorInfo(
        "calibration data not accepted", "`rlx.quant.calibrate` needs at least one batch of finite numbers."
    ),
    "RLX622": ErrorInfo(
        "not calibrated", "Calibrate the graph that is quantized, with data that reaches the layer the message names."
    ),
    "RLX623": ErrorInfo(
        "cannot be quantized", "The message names the layer and the reason; the report lists all layers."
    ),
    # 7xx: files of models
    "RLX701": ErrorInfo(
        "file is damaged", "The message names the place and the tensor; fetch or write the file again."
    ),
    "RLX702": ErrorInfo("not supported in a file", "The message names the type or version, and what is read instead."),
    "RLX703": ErrorInfo(
        "missing in a file", "The message names the tensor or key the model needs, and what the file has."
    ),
    "RLX704": ErrorInfo(
        "architecture is not supported", "The message lists those that are; `docs/models.md` shows how to add one."
    ),
    "RLX705": ErrorInfo(
        "numbers do not fit a stored type", "The message names tensor and number; keep it in F32 or BF16."
    ),
    "RLX706": ErrorInfo(
        "quantization not accepted", "The message names the type or the file, and what is taken instead."
    ),
    "RLX707": ErrorInfo(
        "compile profile not accepted", "The message names the key and what it takes; `docs/models.md` lists them."
    ),
    # 8xx: training
    "RLX801": ErrorInfo(
        "training configuration not accepted", "The message names the section, the key, its line, and what it takes."
    ),
    "RLX802": ErrorInfo(
        "text to train on not found or too short", "The message names the path and how much text is needed."
    ),
    "RLX803": ErrorInfo(
        "an optional package is needed", "The message names the package and the extra of RLX that installs it."
    ),
    "RLX804": ErrorInfo(
        "the loss did not fall below its bar", "Train for more steps, or look at the curve, `loss.png`."
    ),
    # 9xx: generating text
    "RLX901": ErrorInfo(
        "context is full", "The message says how many tokens there are and fit: shorten the text or raise the context."
    ),
    "RLX902": ErrorInfo(
        "sampling setting not accepted", "The message names the setting, what was given, and what it takes."
    ),
    "RLX903": ErrorInfo(
        "prompt not accepted", "A prompt has at least one token, and its ids are in the model's vocabulary."
    ),
    "RLX904": ErrorInfo(
        "chat template failed", "The message is the template's own, or says which limit it met; pass another template."
    ),
}


def did_you_mean(given: object, known: Iterable[str]) -> str:
    """`did you mean 'softmax'?` where a known name is close to what came (in other case, too), else nothing.

    >>> did_you_mean("X", ["x", "y"]), did_you_mean("softmaxx", ["softmax", "tanh"]), did_you_mean("q", ["x"])
    ("did you mean 'x'?", "did you mean 'softmax'?", '')
    """
    names = list(known)
    text = str(given)
    same = [name for name in names if name.lower() == text.lower()]
    close = same or get_close_matches(text, names, n=1, cutoff=0.7)
    return f"did you mean {close[0]!r}?" if close else ""


@dataclass(frozen=True)
class Location:
    """A place in the user's source."""

    file: str
    line: int

    def source(self) -> str:
        """The text of the line, empty when it is not available."""
        return linecache.getline(self.file, self.line).strip()

    def __str__(self) -> str:
        return f"{Path(self.file).name}:{self.line}"


def user_location() -> Location | None:
    """The innermost frame outside this package, and outside what it calls of Python's own library: the line the user wrote."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if _is_users(frame):
            return Location(frame.f_code.co_filename, frame.f_lineno)
        frame = frame.f_back
    return None


def _is_users(frame: FrameType) -> bool:
    """Not of this package, of code generated for it (a dataclass's `__init__`), or of Python's library."""
    file = frame.f_code.co_filename
    if file.startswith(PACKAGE_FOLDER):
        return False
    if file == "<string>":
        return not str(frame.f_globals.get("__name__", "")).startswith("rlx.")
    return not file.startswith(LIBRARY_FOLDER) or "-packages" in file


class RlxError(Exception):
    """An error with a code, the user's line and a fix.

    >>> try:
    ...     raise RlxError("RLX105", "k of top_k is 0", fix="k is at least 1", at=None)
    ... except RlxError as error:
    ...     print(error)
    [RLX105] k of top_k is 0
      fix: k is at least 1
    """

    def __init__(
        self, code: str, message: str, *, fix: str | None = None, at: Location | str | None = "caller"
    ) -> None:
        if code not in ERRORS:
            raise KeyError(f"error code {code} is not in the table")
        self.code = code
        self.message = message
        self.fix = fix or ERRORS[code].help
        self.location = user_location() if isinstance(at, str) else at
        super().__init__(message)

    def __str__(self) -> str:
        lines = [f"[{self.code}] {self.message}"]
        if self.location is not None:
            source = self.location.source()
            lines.append(f"  at {self.location}" + (f": {source}" if source else ""))
        lines.append(f"  fix: {self.fix}")
        return "\n".join(lines)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (type(self), self.args, dict(self.__dict__))


def _rebuilt(kind: type[RlxError], arguments: tuple[Any, ...], state: dict[str, Any]) -> RlxError:
    """An error of another process, with the location it had there."""
    error = kind.__new__(kind, *arguments)
    error.args = arguments
    error.__dict__.update(state)
    return error


class UnknownAttribute(RlxError, AttributeError):
    """A misspelled name on an object: an AttributeError for `hasattr` and `getattr`, and an answer for the user."""


def unknown_attribute(owner: object, name: str) -> AttributeError:
    """What a `__getattr__` raises. Names of Python's own protocols, which copy and pickle look for, get no answer.

    >>> unknown_attribute("text", "spilt").fix
    "did you mean 'split'?"
    """
    what = f"{type(owner).__name__} has no {name!r}"
    if name.startswith("_"):
        return AttributeError(what)
    known = [each for each in dir(type(owner)) if not each.startswith("_")]
    return UnknownAttribute(
        "RLX113", what, fix=did_you_mean(name, known) or f"`help({type(owner).__name__})` lists its methods"
    )


class LowerError(RlxError):
    """A HIR block with the wrong number of inputs.

    >>> error = LowerError("hir.linear", 2, 3)
    >>> error.code, error.op, error.expected, error.got
    ('RLX401', 'hir.linear', 2, 3)
    """

    def __init__(self, op: str, expected: int | str, got: int, *, at: Location | str | None = "caller") -> None:
        self.op, self.expected, self.got = op, expected, got
        super().__init__("RLX401", f"{op} takes {expected} inputs, got {got}", at=at)
