"""The table of error codes: what each means, and what usually helps. `docs/errors.md` is generated from it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ErrorInfo:
    """One row of the error table: what the code means and what usually helps."""

    title: str
    help: str


ERRORS: dict[str, ErrorInfo] = {
    # 1xx: building a graph
    "RLX101": ErrorInfo(
        "wrong number of operands", "Check the builder's signature: `help(graph.<op>)` lists operands and attributes."
    ),
    "RLX102": ErrorInfo(
        "operand shapes do not match",
        "The message names both shapes and the sizes that differ; reshape, transpose or broadcast one of them.",
    ),
    "RLX103": ErrorInfo(
        "operand dtype not accepted", "Cast with `.astype(...)`; `docs/ops.md` lists each op's dtypes, device by device."
    ),
    "RLX104": ErrorInfo("axis out of range", "Axes run from -rank to rank - 1."),
    "RLX105": ErrorInfo("attribute not accepted", "The message says which values the attribute takes."),
    "RLX106": ErrorInfo(
        "reshape changes the number of elements", "The product of the sizes must stay the same; one size may be -1."
    ),
    "RLX107": ErrorInfo(
        "values of two graphs mixed",
        "Use values of one graph; a body can close over values of the enclosing graph, never the reverse.",
    ),
    "RLX108": ErrorInfo(
        "a Value used as a Python bool, number or sequence",
        "The value exists only at run time: use `where`, `cond` or `while_loop`, or a static size.",
    ),
    "RLX109": ErrorInfo("name taken or unknown", "Each input, param, state and output of a graph needs a unique name."),
    "RLX110": ErrorInfo("literal does not fit", "A Python number takes the tensor's dtype; cast the tensor or use another number."),
    "RLX111": ErrorInfo("graph is frozen", "A graph that was compiled or used as a body can no longer change; build a new one."),
    "RLX112": ErrorInfo(
        "packed param used where a dense value is required", "Only `matmul`, `gather` and `grouped_matmul` read packed params."
    ),
    "RLX113": ErrorInfo("unknown op or method", "The message lists similar names."),
    "RLX114": ErrorInfo("outputs not accepted", "Pass a list of Values or a dict of name to Value; flatten nested tuples first."),
    "RLX115": ErrorInfo("index out of range", "Static indices are checked at build time; they run from -size to size - 1."),
    "RLX116": ErrorInfo("not allowed in a body", "Params, states and updates belong to the graph; a body can close over them."),
    # 2xx: symbols
    "RLX201": ErrorInfo("symbol with two bounds", "Create the Dim once and use it everywhere, or use equal bounds."),
    "RLX202": ErrorInfo(
        "cannot be proved for every size", "Declare it: `graph.assume(a == b)`; it is checked when sizes are bound."
    ),
    "RLX203": ErrorInfo("size outside the symbol's bounds", "Widen `Dim(name, min=, max=)`, or pass another size."),
    "RLX204": ErrorInfo("two sizes for one symbol", "The message names both inputs and their sizes."),
    "RLX205": ErrorInfo(
        "symbol not determined by any input", "A symbol is bound where it is a whole dimension of an input or a state."
    ),
    "RLX206": ErrorInfo(
        "compound size does not match", "Compound dims are checked, never solved: the input's size must equal the expression."
    ),
    "RLX207": ErrorInfo("assumption does not hold", "The sizes passed contradict `graph.assume(...)`."),
    "RLX208": ErrorInfo(
        "size too large", "Pass smaller sizes: the bytes of a tensor, and every computed size, must stay below 2**63."
    ),
    # 3xx: text, files, verification
    "RLX301": ErrorInfo("text does not parse", "The message shows the line and what was expected there."),
    "RLX302": ErrorInfo(
        "graph is not valid", "A pass or a hand-made node broke a rule of the IR; the message names the node and the rule."
    ),
    "RLX303": ErrorInfo("file not readable", "The file has another format or version, or it is damaged."),
    "RLX304": ErrorInfo("file not written", "The disk is full or the folder is not writable; existing files are unchanged."),
    # 4xx: lowering and compiling
    "RLX401": ErrorInfo("wrong number of block inputs", "The table of blocks in `docs/levels.md` lists the inputs in order."),
    "RLX402": ErrorInfo(
        "call at the wrong stage", "The message names the module's stage and the call that gets you to the right one."
    ),
    "RLX403": ErrorInfo("not supported on this device", "The table in `docs/ops.md` says what each device supports, and why not."),
    "RLX404": ErrorInfo("unknown device", "`rlx.devices()` lists them."),
    "RLX405": ErrorInfo(
        "a choice that the options forbid",
        "`strict=True` rejects silent choices (casts, copies, fallbacks), `assert_fusion_clean=True` missed fusions.",
    ),
    "RLX406": ErrorInfo("option not accepted", "The message lists the accepted values."),
    "RLX407": ErrorInfo("code for another machine", "A saved executable only runs on CPUs with every feature it was compiled for."),
    # 5xx: running
    "RLX501": ErrorInfo("unknown input", "The message lists the inputs of the executable."),
    "RLX502": ErrorInfo("missing input", "Every input needs an array in `run({...})`."),
    "RLX503": ErrorInfo("input with the wrong shape", "The message shows the declared shape and the array's."),
    "RLX504": ErrorInfo("input with the wrong dtype", "Nothing is cast silently: pass `array.astype(...)`."),
    "RLX505": ErrorInfo("param not set", "Call `exe.set_param(name, array)` before the first run."),
    "RLX506": ErrorInfo(
        "session conflict", "Executables of one session share params and states by name: shape, dtype and scheme must agree."
    ),
    "RLX507": ErrorInfo(
        "output buffer not accepted",
        "`out=` takes writable C-contiguous arrays of the output's shape and dtype; `donate=` takes such inputs that nothing else uses.",
    ),
    "RLX508": ErrorInfo("index out of bounds at run time", "`check_bounds=True` found an index outside the axis."),
    "RLX509": ErrorInfo(
        "state has no value, or is in use",
        "`session.init_state(...)` binds the symbols in state shapes; a loaded model's states serve one text stream at a time.",
    ),
    "RLX510": ErrorInfo("a value became NaN or infinite", "`trap_nan=True` names the op and the line that produced it."),
    "RLX511": ErrorInfo(
        "singular matrix", "The linear system has no unique solution; check the data, or add a small number to the diagonal."
    ),
    "RLX512": ErrorInfo(
        "a kernel wrote outside its slot", "A bug in RLX found by `RLX_CANARIES=1`: please report the kernel and the shapes."
    ),
    "RLX513": ErrorInfo(
        "packed param in the wrong form",
        "`set_param` takes the arrays its scheme stores: bytes, a dict by part, or a tuple in order.",
    ),
    "RLX514": ErrorInfo("not enough memory", "The message says how many bytes were requested; pass smaller sizes, or free memory."),
    "RLX515": ErrorInfo(
        "array on another device",
        "Arrays of a device are for executables and sessions of that device; `np.asarray(array)` copies one to the host.",
    ),
    "RLX516": ErrorInfo("a callback failed", "The exception of the function is the cause of this one; the run changed no state."),
    "RLX517": ErrorInfo(
        "the GPU's driver failed",
        "The message has the call and the driver's own word; an illegal address is a bug in a kernel: please report it.",
    ),
    # 6xx: transforms
    "RLX601": ErrorInfo(
        "no derivative", "`docs/ops.md` says why an op has none; use `rlx.custom_vjp` or `stop_gradient` to work around it."
    ),
    "RLX602": ErrorInfo(
        "cannot differentiate with respect to this", "`wrt` takes float and complex values of the graph: Values, or names."
    ),
    "RLX603": ErrorInfo(
        "gradient of something that is not a scalar", "`grad` takes one scalar output; `vjp` takes any, with its seeds."
    ),
    "RLX604": ErrorInfo(
        "reverse mode through an unbounded loop", "Use `while_loop(…, max_iterations=n)`; forward mode needs no limit."
    ),
    "RLX605": ErrorInfo(
        "a derivative rule broke its contract", "A gradient has the shape and dtype of its operand, a tangent those of its result."
    ),
    "RLX611": ErrorInfo(
        "cannot be batched", "`docs/ops.md` says how each op is batched; `vmap` treats params and states as shared by all examples."
    ),
    "RLX612": ErrorInfo(
        "batch axes do not match", "`in_axes` has an axis or None for each input; all batched inputs must have the same size there."
    ),
    "RLX621": ErrorInfo("calibration data not accepted", "`rlx.quant.calibrate` needs at least one batch of finite values."),
    "RLX622": ErrorInfo(
        "not calibrated", "Calibrate the graph that is quantized, with data that reaches the layer named in the message."
    ),
    "RLX623": ErrorInfo("cannot be quantized", "The message names the layer and the reason; the report lists all layers."),
    # 7xx: model files
    "RLX701": ErrorInfo("file is damaged", "The message names the position and the tensor; download or write the file again."),
    "RLX702": ErrorInfo("file feature not supported", "The message names the type or version, and what is supported."),
    "RLX703": ErrorInfo("missing from a file", "The message names the tensor or key the model needs, and what the file has."),
    "RLX704": ErrorInfo(
        "architecture is not supported", "The message lists the supported ones; `docs/models.md` shows how to add one."
    ),
    "RLX705": ErrorInfo("values do not fit a stored type", "The message names the tensor and the value; keep it in F32 or BF16."),
    "RLX706": ErrorInfo("quantization not accepted", "The message names the type or the file, and what is accepted."),
    "RLX707": ErrorInfo(
        "compile profile not accepted", "The message names the key and its values; `docs/models.md` lists all keys."
    ),
    "RLX708": ErrorInfo(
        "model not found",
        "The message names similar models, or the command that downloads it; `docs/models.md` lists all forms of names.",
    ),
    "RLX709": ErrorInfo(
        "download failed", "The message has the server's answer; what has arrived is kept, and the same command resumes."
    ),
    # 8xx: training
    "RLX801": ErrorInfo(
        "training configuration not accepted", "The message names the section, the key, its line, and what it accepts."
    ),
    "RLX802": ErrorInfo("training text not found or too short", "The message names the path and how much text is needed."),
    "RLX803": ErrorInfo("an optional package is needed", "The message names the package and the extra of RLX that installs it."),
    "RLX804": ErrorInfo("the loss did not fall below its limit", "Train for more steps, or look at the curve, `loss.png`."),
    "RLX805": ErrorInfo(
        "another process of the run ended",
        "A run on many hosts ends as a whole; start all processes again, and it resumes from its last checkpoint.",
    ),
    # 9xx: generating text
    "RLX901": ErrorInfo(
        "context is full", "The message says how many tokens there are and how many fit: shorten the text or raise the context."
    ),
    "RLX902": ErrorInfo("sampling setting not accepted", "The message names the setting, its value, and what it accepts."),
    "RLX903": ErrorInfo("prompt not accepted", "A prompt needs at least one token, and its ids must be in the model's vocabulary."),
    "RLX904": ErrorInfo(
        "chat template failed", "The message is the template's own, or says which limit it hit; pass another template."
    ),
    "RLX905": ErrorInfo("grammar not accepted", "The message names its place; `docs/generation.md` says what is supported."),
    "RLX906": ErrorInfo("engine closed", "Make another engine; a closed one takes no requests."),
    "RLX907": ErrorInfo(
        "the server cannot run as asked", "The message names the option or the address, and what is wrong with it."
    ),
    "RLX908": ErrorInfo(
        "no process for chat templates",
        "Allow this Python to start processes (`ulimit -u`, limits of the container), or pass prompts that need no template.",
    ),
}
