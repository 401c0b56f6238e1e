"""From the start of a process to a model's first token, and the memory it takes: `python -m bench.first_token [MODEL…]`.

Each run is a process of its own, ours and llama.cpp's by turns, and the fastest counts: imports, opening the file, taking in the weights,
tokens of a text of some 40, its evaluation. Ours has a warm cache on disk, as every start but the first has; the files are in the
system's page cache. What the harness itself imports is not counted for llama.cpp, which does not need it.

Memory is what is resident after 64 tokens; what is allowed is the file, the caches of keys and values, and 150 MB.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

MORE_SECONDS = 0.3  # than llama.cpp may ours take
MORE_BYTES = 150e6  # than the file and the caches
TOKENS = 64
CONTEXT = 512
MODELS = (
    *("SmolLM2", "254M-Q4_K_M", "254M-Q8_0", "254M-F16", "530M-Q4_K_M", "530M-Q8_0"),
    *("1.5B-Q4_K_M", "1.5B-Q8_0", "262K-Q4_K_M"),
)
PROSE = (
    "The old lighthouse keeper had written down the weather of every single day for forty years, and on the last page of the last book "
    "he wrote a sentence about the sea that nobody in the village could quite explain"
)
LETTERS = "The harbour was quiet at dawn."  # the words of random models are made up: each letter is a token


def main() -> int:
    """Compare and print; 1 when a bar is missed."""
    parser = argparse.ArgumentParser(prog="python -m bench.first_token", description=__doc__.split("\n")[0])
    parser.add_argument("models", nargs="*", default=MODELS, metavar="MODEL", help=f"of {', '.join(MODELS)}")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--child", nargs=3, metavar=("CONTENDER", "FILE", "TEXT"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        contender, path, text = options.child
        print(json.dumps(CONTENDERS[contender](Path(path), text, options.threads)))
        return 0
    unknown = [name for name in options.models if name not in MODELS]
    if unknown:
        parser.error(f"{unknown[0]} is none of {', '.join(MODELS)}")
    missed = []
    for name in options.models:
        path = model_path(name)
        found = compare(path, PROSE if name == "SmolLM2" else LETTERS, options.rounds, options.threads)
        print(text_of(name, found), end="\n\n", flush=True)
        missed += [f"{name}: {bar}" for bar in bars_missed(found)]
    print("\n".join(missed) or "both bars are met")
    return int(bool(missed))


def model_path(name: str) -> Path:
    """The file of a model, written when it is a random one that is not there."""
    from bench.models import gguf_files

    return gguf_files.smollm2_file() if name == "SmolLM2" else gguf_files.model_file(*name.split("-", 1))


# -- in processes of their own ---------------------------------------------------------------------------------------------
def compare(path: Path, text: str, rounds: int, threads: int) -> dict[str, dict[str, Any]]:
    """What each contender's fastest run says; a contender that fails says why."""
    from bench.environment import allow_threads

    allow_threads(threads)
    found: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as cache:
        run("rlx", path, text, threads, cache)  # fills the cache, and the system's of the file
        for _ in range(rounds):
            for contender in CONTENDERS:
                seen = run(contender, path, text, threads, cache)
                if contender not in found or seen.get("seconds", 0.0) < found[contender].get("seconds", 0.0):
                    found[contender] = seen
    return found


def run(contender: str, path: Path, text: str, threads: int, cache: str) -> dict[str, Any]:
    """One process."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", "bench.first_token", "--threads", str(threads), "--child", contender, str(path), text]
    begun = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, env={**environment, "RLX_CACHE_DIR": cache})
    if done.returncode:
        return {"failed": (done.stderr.strip().splitlines() or ["no message"])[-1][:160]}
    seen: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return {**seen, "seconds": seen["first"] - begun - seen["not counted"]}


def ours(path: Path, text: str, threads: int) -> dict[str, Any]:
    """What people write, timed from inside."""
    import rlx

    model = rlx.load_model(path)
    stream = model.engine.stream(text, max_tokens=TOKENS, temperature=0.0, ignore_eos=True)
    begun, used, first = time.monotonic(), [], 0.0
    for _ in stream:
        if not used:  # the first text; its token may have come before, where a character has several
            used, first = list(os.times()[:2]), time.monotonic()
    result = stream.result
    from bench.footprint import resident

    pages = model.engine.stats()
    return {
        "first": min(first, begun + result.timings.first_token),
        "not counted": 0.0,
        "user": used[0],
        "system": used[1],
        "prompt": result.prompt_tokens,
        "resident": resident("VmRSS"),
        "most": resident("VmHWM"),
        "file": path.stat().st_size,
        "caches": (pages.pages_used + pages.pages_cached) * pages.page_bytes,
    }


def theirs(path: Path, text: str, threads: int) -> dict[str, Any]:
    """llama.cpp as a library, without what only the harness needs."""
    begun, before = time.monotonic(), os.times()
    from bench.llama_cpp import LlamaCpp

    spared, after = time.monotonic() - begun, os.times()
    model = LlamaCpp(path, CONTEXT, threads)
    tokens = model.encode(text)
    model.run(tokens, 0)
    model.logits().argmax()
    first, used = time.monotonic(), os.times()
    return {
        "first": first,
        "not counted": spared,
        "prompt": len(tokens),
        "user": used[0] - (after[0] - before[0]),
        "system": used[1] - (after[1] - before[1]),
    }


CONTENDERS: dict[str, Callable[[Path, str, int], dict[str, Any]]] = {"rlx": ours, "llama.cpp": theirs}


# -- what is said ----------------------------------------------------------------------------------------------------------
def allowed_bytes(rlx: dict[str, Any]) -> float:
    """For a model of this file with these caches."""
    return float(rlx["file"] + rlx["caches"] + MORE_BYTES)


def bars_missed(found: dict[str, dict[str, Any]]) -> list[str]:
    """Which of both, in words; a peer that is not there misses none."""
    rlx, peer = found["rlx"], found.get("llama.cpp", {})
    if "failed" in rlx:
        return [rlx["failed"]]
    late = "seconds" in peer and rlx["seconds"] > peer["seconds"] + MORE_SECONDS
    return ["the first token comes too late"] * late + ["too much memory"] * (rlx["resident"] > allowed_bytes(rlx))


def text_of(name: str, found: dict[str, dict[str, Any]]) -> str:
    """Both comparisons of a model."""
    lines = []
    for contender, seen in found.items():
        if "failed" in seen:
            lines.append(f"  {contender:11} {seen['failed']}")
        else:
            used = f"CPU: user {seen['user']:.2f}, system {seen['system']:.2f}"
            lines.append(f"  {contender:11} {seen['seconds']:.2f} s   {used}   {seen['prompt']} tokens of prompt")
    rlx, peer = found["rlx"], found.get("llama.cpp", {})
    if "seconds" in rlx and "seconds" in peer:
        lines.append(f"  {'difference':11} {rlx['seconds'] - peer['seconds']:+.2f} s   allowed {MORE_SECONDS:+.2f}")
    if "seconds" in rlx:
        sizes = [rlx["resident"], rlx["most"], allowed_bytes(rlx), rlx["file"], rlx["caches"], MORE_BYTES]
        words = "{:.0f} MB   at most {:.0f}   allowed {:.0f} = file {:.0f} + caches {:.0f} + {:.0f}"
        lines.append(f"  {'resident':11} {words.format(*(size / 1e6 for size in sizes))}")
    return "\n".join([f"{name}: first token", *lines])


if __name__ == "__main__":
    sys.exit(main())
