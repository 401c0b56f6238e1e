"""The memory of a dense model beside its weights: `python -m bench.resident [--weights 500M]`.

A Llama with random weights, as safetensors in bf16 and in f32, is loaded in a process of its own and makes 8 tokens: its weights
as they lie in the mapped file, and (`arrays`) each set from an array of the process's own, as a user's program does.
Allowed is what its weights and its caches of keys and values take, and 15 %. A first process compiles; the second, that
finds its programs on disk, as every start but the first does, is what counts. `mapped` is the part of the resident size
that is pages of files, which the system can drop; the rest is the process's own.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench.environment import allow_threads

MORE = 0.15  # than weights and caches
TOKENS = 8
PROMPT = tuple(range(3, 35))
DTYPES = ("bf16", "f32")
SIZES = ("500M", "50M")


def main() -> int:
    """Measure each dtype and print; 1 when one takes more than allowed."""
    parser = argparse.ArgumentParser(prog="python -m bench.resident", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--weights", choices=SIZES, default=SIZES[0], help="of the model (default %(default)s)")
    parser.add_argument("--folder", type=Path, help="where the models are, or are written (default bench/.exported)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--arrays", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    allow_threads(options.threads)
    if options.child:
        print(json.dumps(measured(options.child, options.arrays)))
        return 0
    from bench.models.llama_folders import model_folder

    above = 0
    rows = [(dtype, arrays) for dtype in DTYPES for arrays in (False, True)]
    for dtype, arrays in rows:
        path = model_folder(options.weights, dtype, options.folder)
        with tempfile.TemporaryDirectory(prefix="rlx-resident-") as cache:
            first, later = (in_a_process(path, options.threads, cache, arrays) for _ in range(2))
        print(text_of(path.name + " arrays" * arrays, first, later), end="\n\n", flush=True)
        above += later["resident"] > allowed(later)
    print(f"{above} of {len(rows)} take more than allowed" if above else "all within what is allowed")
    return int(above > 0)


def in_a_process(path: Path, threads: int, cache: str, arrays: bool = False) -> dict[str, int]:
    """What a fresh process says."""
    command = [sys.executable, "-m", "bench.resident", "--threads", str(threads), "--child", str(path)]
    command += ["--arrays"] if arrays else []
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "RLX_CACHE_DIR": cache})
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")
    found: dict[str, int] = json.loads(done.stdout.splitlines()[-1])
    return found


def measured(path: Path, arrays: bool = False) -> dict[str, int]:
    """Load, generate, and read the sizes, in this process; `arrays`: each param is set from a copy in memory."""
    import rlx

    model = rlx.load_model(path)
    if arrays:
        from_file = model.session.set_param
        model.session.set_param = lambda name, array: from_file(name, array.copy())
    result = model.generate(list(PROMPT), max_tokens=TOKENS, temperature=0.0, ignore_eos=True)
    from bench.footprint import resident  # only now: what the benchmarks import is not the model's

    states = [entry.array.nbytes for entry in model.session.entries.values() if entry.kind == "state"]
    return {
        "tokens": len(result.ids),
        "weights": sum(tensor.nbytes for tensor in model.source.tensors.values()),
        "caches": sum(states),
        "resident": resident("VmRSS"),
        "most": resident("VmHWM"),
        "mapped": resident("RssFile"),
    }


def allowed(seen: dict[str, Any]) -> float:
    """Bytes, for these weights and caches."""
    return (1 + MORE) * (seen["weights"] + seen["caches"])


def text_of(name: str, first: dict[str, int], later: dict[str, int]) -> str:
    """A model's sizes, and what two starts took."""
    needed = later["weights"] + later["caches"]
    sizes = f"weights {_mega(later['weights'])} + caches {_mega(later['caches'])} = {_mega(needed)} MB"
    lines = [f"{name}: {sizes}, allowed {_mega(allowed(later))}"]
    for start, seen in (("first start", first), ("later start", later)):
        ratio, mapped = seen["resident"] / needed, _mega(seen["mapped"])
        took = f"resident {_mega(seen['resident'])} MB = {ratio:.2f} x, of it mapped {mapped}"
        lines.append(f"  {start}: {took}; at most {_mega(seen['most'])}")
    lines.append("  within" if later["resident"] <= allowed(later) else "  above what is allowed")
    return "\n".join(lines)


def _mega(count: float) -> str:
    return f"{count / 1e6:.0f}"


if __name__ == "__main__":
    sys.exit(main())
