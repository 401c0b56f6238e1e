"""The gradient of a loop of 10 000 steps in the memory of 200: a scan that keeps 100 carries and computes the others again."""

import resource
import subprocess
import sys
import time

import numpy as np

import rlx

STEPS, SIZE = 10_000, 400


def gradient(checkpoints: int | None) -> rlx.GraphModule:
    """d loss / d (h, w) of h = sin(h·w + x_t), t = 0 … STEPS - 1, with loss Σ h²."""
    graph = rlx.Graph("loop")
    h, w, xs = graph.input("h", (SIZE,)), graph.input("w", (SIZE,)), graph.input("xs", (STEPS, 1))
    (last,), _ = graph.scan_general(lambda carry, x: graph.sin(carry * w + x), h, xs, num_checkpoints=checkpoints)
    graph.set_outputs({"loss": (last * last).sum()})
    return rlx.autodiff.grad_with_loss(graph, ["h", "w"])


def peak_of_process() -> int:
    """The most memory this process has held, in bytes (Linux counts it in KiB, macOS in bytes)."""
    found = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return found if sys.platform == "darwin" else found * 1024


def measure(checkpoints: int | None) -> None:
    """Print what the plan says, by how much the process grew while it ran, the time of a run, and the numbers."""
    exe = rlx.compile(gradient(checkpoints), "cpu")
    inputs = {"h": np.linspace(0, 1, SIZE, dtype=np.float32), "w": np.linspace(0.5, 1, SIZE, dtype=np.float32)}
    small = rlx.compile(rlx.autodiff.grad(_square(), "x"), "cpu")
    small.run({"x": np.ones(SIZE, np.float32)})  # what any first run needs: threads, buffers
    before = peak_of_process()
    found = exe.run({**inputs, "xs": np.linspace(0, 1, STEPS, dtype=np.float32)[:, None]})
    grown = peak_of_process() - before
    start = time.perf_counter()
    exe.run({**inputs, "xs": np.linspace(0, 1, STEPS, dtype=np.float32)[:, None]})
    spent = time.perf_counter() - start
    kept = "every carry" if checkpoints is None else f"{checkpoints} carries"
    numbers = f"loss {float(found['loss']):.6f}, |grad w| {float(np.abs(found['grad_w']).sum()):.6f}"
    print(
        f"{kept:>12}: planned {exe.memory.peak_bytes() / 1e6:6.2f} MB, grew {grown / 1e6:6.2f} MB, {spent * 1e3:5.1f} ms; {numbers}"
    )


def _square() -> rlx.Graph:
    graph = rlx.Graph("square")
    x = graph.input("x", (SIZE,))
    graph.set_outputs({"loss": (x * x).sum()})
    return graph


def main() -> None:
    """One process for each way, as the most a process has held never falls."""
    if len(sys.argv) > 1:
        measure(None if sys.argv[1] == "all" else int(sys.argv[1]))
        return
    for checkpoints in ("all", "100"):
        subprocess.run([sys.executable, __file__, checkpoints], check=True)


if __name__ == "__main__":
    main()
