"""Checkpoints over meshes of virtual devices: run as a program with a folder to write to; it prints a line of JSON."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np


def module() -> Any:
    import rlx

    g = rlx.Graph("layers")
    x, y = g.input("x", (8, 16)), g.input("y", (8, 16))
    inside = g.tanh(x @ g.param("up", (16, 32)))
    error = inside @ g.param("down", (32, 16)) * g.param("scale", (16,)) - y
    g.set_outputs({"loss": (error * error).mean()})
    return rlx.GraphModule.from_graph(g).shard({"up": rlx.P(None, "model"), "down": rlx.P("model", "fsdp")})


def training(mesh: Any = None, **more: Any) -> Any:
    from rlx.train import AdamW, compile_training

    made = compile_training(module(), "loss", AdamW(lr=0.05), device="xla", mesh=mesh, ema=0.9, **more)
    random = np.random.default_rng(0)
    weights = {"up": (16, 32), "down": (32, 16), "scale": (16,)}
    made.set_params({name: random.standard_normal(dims).astype(np.float32) for name, dims in weights.items()})
    return made


def batch(step: int) -> dict[str, Any]:
    random = np.random.default_rng(step + 1)
    return {name: random.standard_normal((8, 16)).astype(np.float32) for name in "xy"}


def steps(made: Any, first: int, count: int) -> list[float]:
    return [float(made.step(batch(step))["loss"]) for step in range(first, first + count)]


def main(folder: Path) -> None:
    import rlx

    grid = rlx.Mesh((2, 4), ("fsdp", "model"))
    first = training(grid)
    steps(first, 0, 3)
    first.save(folder / "step-3", wait=False, row=7)
    told: dict[str, Any] = {"curve": steps(first, 3, 3)}
    first.finish_saving()
    told["files"] = sorted(path.name for path in (folder / "step-3").iterdir())
    index = json.loads((folder / "step-3" / "index-00000-of-00001.json").read_text())["arrays"]
    told["pieces"] = {name: [piece["sizes"] for piece in entry["pieces"]] for name, entry in index.items()}
    other = rlx.Mesh((8, 1), ("fsdp", "model"))
    for name, mesh in (("same", grid), ("other", other), ("one device", None)):
        again = training(mesh)
        told[f"position {name}"] = again.load(folder / "step-3")
        told[name] = steps(again, 3, 3)
    alone = training()
    steps(alone, 0, 1)
    alone.save(folder / "whole.safetensors")
    back = training(grid)
    back.load(folder / "whole.safetensors")
    told["from a file"] = [steps(back, 1, 2), steps(alone, 1, 2)]
    told["random"] = same_bits_on_a_mesh(grid)
    damaged = folder / "step-3" / "pieces-00000-of-00001.safetensors"
    content = bytearray(damaged.read_bytes())
    content[-3] ^= 1
    damaged.write_bytes(content)
    try:
        training(grid).load(folder / "step-3")
    except rlx.RlxError as error:
        told["damaged"] = error.code
    (folder / "step-3" / "index-00000-of-00001.json").rename(folder / "step-3" / "index-00000-of-00002.json")
    try:
        training(grid).load(folder / "step-3")
    except rlx.RlxError as error:
        told["incomplete"] = error.message
    print(json.dumps(told))


def same_bits_on_a_mesh(mesh: Any) -> bool:
    """Random numbers do not depend on the mesh."""
    import rlx
    from rlx.core.sharding import ShardingTable

    g = rlx.Graph("noise")
    x = g.input("x", (8, 4))
    g.set_outputs({"y": g.rng("noise", seed=3).uniform((8, 4)) + x})
    zeros = np.zeros((8, 4), np.float32)
    over = rlx.compile(g, session=rlx.Session("xla", sharding=ShardingTable(mesh)))
    one = rlx.compile(g, "xla")
    return all(
        np.asarray(over.run({"x": zeros})["y"]).tobytes() == np.asarray(one.run({"x": zeros})["y"]).tobytes() for _ in range(2)
    )


if __name__ == "__main__":
    os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
    main(Path(sys.argv[1]))
