"""A GGUF model whose weights are cut over 4 virtual devices: prints what it says, to be compared with the CPU.

python -m tests.backends.xla.sharded_model FILE TOKENS [ID …]      begins with these ids, or with a text
"""

from __future__ import annotations

import json
import os
import sys

if __name__ == "__main__":
    os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"
    import rlx

    path, tokens, *ids = sys.argv[1:]
    model = rlx.load_model(path, mesh=rlx.Mesh((4,), ("model",)), quant_mode="exact")
    prompt = [int(number) for number in ids] or "The capital of France is"
    found = model.generate(prompt, max_tokens=int(tokens), temperature=0)
    cut = sum(
        len({str(shard.index) for shard in entry.array.handle.addressable_shards}) == 4
        for entry in model.session.entries.values()
        if entry.kind == "param" and entry.array is not None
    )
    print(json.dumps({"ids": list(found.ids), "cut": cut}))
