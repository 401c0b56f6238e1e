"""`python -m bench.many_threads --threads 16 --llama-bench PATH`: a machine with many cores in a few minutes, a line for each measure.

    loops   the machine's limits, whose growth from one thread to many is what ours is compared with
    gguf    prefill and decode of files of random weights beside a native llama.cpp, and where our time goes
    bf16    prefill of a Llama in bf16 beside ours in f32 and torch in bf16
    train   a training step in mixed bf16 beside torch's autocast

Best of some calls, one contender after the other: quicker than `python -m bench`, and less exact on a busy machine.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np

from bench.environment import allow_threads

SECONDS = 0.6  # of calls
SHOWN = 6  # kernels of a profile
FILES = "254M Q4_K_M,254M Q8_0,254M Q4_0,254M F16,1.5B Q4_K_M,1.5B Q8_0"
MIXED = "auto_mixed_bf16"


def best(call: Callable[[], object], seconds: float = SECONDS) -> float:
    """Seconds of the best of some calls."""
    call()
    found: list[float] = []
    while len(found) < 3 or sum(found) < seconds:
        start = time.perf_counter()
        call()
        found.append(time.perf_counter() - start)
    return min(found)


def line(name: str, ours: float, peer: float | None, unit: str, more: str = "") -> None:
    """One measure, higher is better."""
    ratio = "" if not peer else f"   {peer:10.1f}   ratio {ours / peer:5.2f}"
    print(f"{name:40} {ours:10.1f} {unit}{ratio}   {more}", flush=True)


def show_profile(call: Callable[[], object], runs: int = 8) -> None:
    """The kernels that take most of what a call runs last."""
    from bench.where import watched

    with watched() as seen:
        call()
    executable, inputs = seen[-1]
    profile = executable.profile(inputs, runs=runs, limits=False)
    for kernel, (count, seconds) in list(profile.by_kernel().items())[:SHOWN]:
        print(f"      {seconds * 1e3:8.3f} ms {100 * seconds / profile.seconds:5.1f} %  {count:4} x {kernel}", flush=True)


# -- sections
def loops(options: argparse.Namespace) -> None:
    """FMA, integer and read loops with one thread and with all."""
    from bench.limits import LimitMeter

    found = {}
    for threads in dict.fromkeys((1, options.threads)):
        meter = LimitMeter(threads)
        for _ in range(4):
            meter.sample()
        found[threads] = meter.limits
        limits = meter.limits
        print(
            f"{threads} threads: {limits.gflops:.0f} GFLOP/s f32, {limits.integer_gops:.0f} GOP/s int8, "
            f"{limits.gigabytes:.1f} GB/s read",
            flush=True,
        )
    one, many = found[1], found[options.threads]
    print(f"growth: f32 {many.gflops / one.gflops:.1f}, int8 {many.integer_gops / one.integer_gops:.1f}", flush=True)


def llama_bench(program: str, path: str, threads: int) -> dict[str, float]:
    """Tokens per second of prefill 128 and 512 and of decode."""
    work = ["-p", "128,512", "-n", "32", "-r", "3", "-o", "json"]
    done = subprocess.run([program, "-m", path, "-t", str(threads), *work], capture_output=True, text=True, check=True)
    found: list[dict[str, Any]] = json.loads(done.stdout)
    rates = {}
    for entry in found:
        count = entry["n_prompt"] or entry["n_gen"]
        name = f"prefill {count}" if entry["n_prompt"] else "decode"
        rates[name] = count / (min(entry["samples_ns"]) * 1e-9)
    return rates


def gguf(options: argparse.Namespace) -> None:
    """Whole models."""
    from bench.models import gguf_files
    from rlx.generate.runner import Runner
    from rlx.models.model import open_model

    for name in options.files.split(","):
        path = gguf_files.model_file(*name.split(" ", 1))
        theirs = {}
        if options.llama_bench:
            try:
                theirs = llama_bench(options.llama_bench, str(path), options.threads)
            except (OSError, subprocess.CalledProcessError, ValueError) as failure:
                print(f"llama-bench: {failure}; {getattr(failure, 'stderr', '')[-400:]}", flush=True)
        _whole_model(name, Runner(open_model(path), capacity=1024), theirs)


def _whole_model(name: str, runner: Any, theirs: dict[str, float]) -> None:
    """Prefill and decode of one model, and where their time goes."""
    from bench.suites.gguf import weight_counts

    tokens = np.random.default_rng(1).integers(300, 30000, 600).tolist()
    _, _, read = weight_counts(runner.model)

    def prefill(count: int) -> None:
        runner.truncate(0, 0)
        runner.prefill([tokens[:count]])

    def decode() -> None:
        runner.truncate(0, 32)
        runner.decode(tokens[32:33])

    for count in (128, 512):
        rate = count / best(lambda count=count: prefill(count))  # type: ignore[misc]
        line(f"{name}, prefill {count}", rate, theirs.get(f"prefill {count}"), "tokens/s")
    show_profile(lambda: prefill(512))
    rate = 1 / best(decode)
    line(f"{name}, decode", rate, theirs.get("decode"), "tokens/s", f"{rate * read * 1e-9:.1f} GB/s of ours")
    show_profile(decode)


def bf16(options: argparse.Namespace) -> None:
    """Prefill of 512 tokens."""
    import rlx
    from bench import ours, peers
    from bench.models import llama

    config = llama.LlamaConfig(hidden=1024, layers=6, heads=16, kv_heads=8, ffn=2816, max_positions=512)
    weights = llama.weights(config)
    for count in (128, 512):
        ids = np.random.default_rng(1).integers(0, config.vocab, (1, count))

        def compiled(precision: str, ids: np.ndarray = ids) -> Callable[[], object]:
            executable = rlx.compile(ours.prefill_module(config, weights, *ids.shape), device="cpu", precision=precision)
            executable.set_params(weights)
            given = {"ids": ids.astype(np.int32)}
            return lambda: executable.run(given)

        plain, mixed = compiled("always_f32"), compiled(MIXED)
        f32, half = count / best(plain), count / best(mixed)
        line(f"bf16 prefill {count} beside ours in f32", half, f32, "tokens/s")
        show_profile(mixed)
        show_profile(plain)
        torch = peers.torch(options.threads)
        from bench.models.llama_torch import TorchLlama

        network = TorchLlama(config, weights).eval().to(torch.bfloat16)
        given = torch.from_numpy(ids), torch.arange(count)
        with torch.inference_mode(), torch.autocast("cpu", dtype=torch.bfloat16):  # of the rotation, which is in f32
            theirs = count / best(lambda network=network, given=given: network(*given))  # type: ignore[misc]
        line(f"bf16 prefill {count} beside torch bf16", half, theirs, "tokens/s")


def train(options: argparse.Namespace) -> None:
    """A step of 8 rows of 128 tokens: forward, backward, AdamW."""
    import rlx
    from bench import ours, peers
    from bench.models import llama

    config = llama.LlamaConfig(hidden=1024, layers=2, heads=16, kv_heads=8, ffn=2816, max_positions=128)
    weights = llama.weights(config)
    ids = np.random.default_rng(1).integers(0, config.vocab, (8, 129))

    def step_of(precision: str) -> Callable[[], object]:
        module = ours.training_module(config, weights, ids)
        training = rlx.train.compile_training(module, "loss", rlx.train.AdamW(lr=1e-4), precision=precision)
        training.set_params(weights)
        batch = {"ids": ids[:, :-1].astype(np.int32), "labels": ids[:, 1:].astype(np.int32).reshape(-1)}
        return lambda: training.step(batch)

    plain, mixed = step_of("always_f32"), step_of(MIXED)
    tokens = 8 * 128
    f32, half = tokens / best(plain), tokens / best(mixed)
    line("bf16 training beside ours in f32", half, f32, "tokens/s")
    torch = peers.torch(options.threads)
    from bench.models.llama_torch import TorchLlama

    network = TorchLlama(config, {name: array.copy() for name, array in weights.items()}).requires_grad_(True)
    optimizer = torch.optim.AdamW(network.parameters(), lr=1e-4, fused=True)
    given, positions = torch.from_numpy(ids[:, :-1].copy()), torch.arange(128)
    labels = torch.from_numpy(ids[:, 1:].reshape(-1).copy())

    def step() -> None:
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = network(given, positions)[0]
            loss = torch.nn.functional.cross_entropy(logits.view(-1, config.vocab), labels)
        loss.backward()
        optimizer.step()

    line("bf16 training beside torch autocast", half, tokens / best(step), "tokens/s")


SECTIONS = {"loops": loops, "gguf": gguf, "bf16": bf16, "train": train}


def main() -> int:
    """Run the sections asked for; one that fails does not stop the others."""
    parser = argparse.ArgumentParser(prog="python -m bench.many_threads", description="A machine with many cores.")
    parser.add_argument("sections", nargs="*", default=list(SECTIONS), metavar="SECTION", help=", ".join(SECTIONS))
    parser.add_argument("--threads", type=int, default=16)
    parser.add_argument("--llama-bench", default="", help="llama-bench of a native build of llama.cpp")
    parser.add_argument("--files", default=FILES, help="sizes and mixtures, such as 254M Q8_0")
    options = parser.parse_args()
    allow_threads(options.threads)
    for name in options.sections or SECTIONS:
        start = time.perf_counter()
        try:
            SECTIONS[name](options)
        except Exception:
            traceback.print_exc()
        print(f"({name}: {time.perf_counter() - start:.0f} s)\n", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
