"""The libraries we are measured against. All are optional: a missing one is a line in the output."""

from __future__ import annotations

import hashlib
import importlib
import inspect
import logging
import sys
import warnings
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from bench.harness import Contender, Unavailable

EXPORTED = Path(__file__).parent / ".exported"
PACKAGES = ("rlx", "numpy", "torch", "jax", "onnxruntime", "openvino", "xllamacpp")


def versions() -> dict[str, str]:
    """The installed release of each package that takes part."""
    found = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def need(module: str) -> ModuleType:
    """Import a peer, or say that it is missing."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise Unavailable(f"not installed ({error})") from error


def torch(threads: int) -> ModuleType:
    """PyTorch with its thread count set."""
    library = need("torch")
    library.set_num_threads(threads)
    return library


def from_numpy_function(name: str, call: Callable[[], np.ndarray]) -> Contender:
    """A contender whose call returns its result as something NumPy can read."""
    last: list[Any] = [None]

    def keep() -> None:
        last[0] = call()

    return Contender(name, keep, lambda: np.asarray(last[0]))


def from_torch_function(name: str, call: Callable[[], Any], threads: int) -> Contender:
    """A contender that runs in inference mode; a tuple's first element is the result."""
    library = torch(threads)
    last: list[Any] = [None]

    def keep() -> None:
        with library.inference_mode():
            last[0] = call()

    def read() -> np.ndarray:
        value = last[0][0] if isinstance(last[0], tuple) else last[0]
        return value.numpy()

    return Contender(name, keep, read)


def torch_compiled(model: Any, threads: int) -> Any:
    """The model behind torch.compile at its best: weights as constants (`freezing`), kernels chosen by trial."""
    library = torch(threads)
    library._dynamo.reset()
    need("torch._inductor.config").freezing = True
    need("torch._inductor.select_algorithm").PRINT_AUTOTUNE = False
    return library.compile(model, dynamic=False, mode="max-autotune")


def exported(key: str, model: Any, arguments: Sequence[Any], *sources: str) -> Path:
    """The torch `model` as an ONNX file, made once per release of torch and content of the modules that define it."""
    library = need("torch")
    content = library.__version__ + "".join(inspect.getsource(importlib.import_module(source)) for source in sources)
    path = EXPORTED / f"{key}-{hashlib.sha256(content.encode()).hexdigest()[:12]}.onnx"
    if not path.exists():
        for module in ("onnx", "onnxscript"):
            need(module)
        EXPORTED.mkdir(exist_ok=True)
        for stale in EXPORTED.glob(f"{key}-*"):
            stale.unlink()
        logging.getLogger("torch.onnx").setLevel(logging.ERROR)
        partial = path.with_suffix(".partial")
        with library.no_grad(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            library.onnx.export(model, tuple(arguments), partial, dynamo=True, external_data=False, verbose=False)
        partial.rename(path)
    return path


def onnxruntime(path: Path, inputs: Sequence[np.ndarray], threads: int) -> Contender:
    """ONNX Runtime, inputs and outputs bound once, so that no call allocates or copies."""
    library = need("onnxruntime")
    options = library.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    session = library.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    binding = session.io_binding()
    for declared, array in zip(session.get_inputs(), inputs, strict=True):
        binding.bind_ortvalue_input(declared.name, library.OrtValue.ortvalue_from_numpy(array))
    names = [output.name for output in session.get_outputs()]
    for name, array in zip(names, session.run(None, _feeds(session, inputs)), strict=True):
        binding.bind_ortvalue_output(name, library.OrtValue.ortvalue_from_numpy(array))
    return Contender("onnxruntime", lambda: session.run_with_iobinding(binding), lambda: binding.get_outputs()[0].numpy())


def _feeds(session: Any, inputs: Sequence[np.ndarray]) -> dict[str, np.ndarray]:
    return {declared.name: array for declared, array in zip(session.get_inputs(), inputs, strict=True)}


def openvino(model: Path | Any, inputs: Sequence[np.ndarray], threads: int) -> Contender:
    """OpenVINO in f32 on an ONNX file or a model of its own, inputs shared, outputs left in its own buffers."""
    sys.modules.setdefault("openvino_telemetry", None)  # it would fork and report usage in the middle of a run
    library = need("openvino")
    core = library.Core()
    settings = {"PERFORMANCE_HINT": "LATENCY", "INFERENCE_NUM_THREADS": threads, "INFERENCE_PRECISION_HINT": "f32"}
    read = core.read_model(str(model)) if isinstance(model, Path) else model
    request = core.compile_model(read, "CPU", settings).create_infer_request()
    given = list(inputs)
    return Contender(
        "OpenVINO",
        lambda: request.infer(given, share_inputs=True, share_outputs=True),
        lambda: request.get_output_tensor(0).data.copy(),
    )
