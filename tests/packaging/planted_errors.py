"""Errors planted in `programs/`: pieces of text are replaced, at most one to a line, and a checker reports just those lines."""

PLANTED = {
    "regression": [
        ("params.weights) + params.bias", "params.weigths) + params.bias"),  # no such field
        ("rnp.logaddexp(", "rnp.logadexp("),  # no such function
        ("rlx.value_and_grad(loss)(", "rlx.value_and_grad(loss, argnum=0)("),  # no such keyword
        ("return float(rnp.mean((logits(params, x) > 0) == (y > 0)))", "return rnp.mean(y > 0)"),  # an array is not a float
        ("step(params, x, y)\n", "step(params, x)\n"),  # an argument is missing
        ("rows, columns = x.shape", "rows, columns = x.shapes"),  # no such property
        ("axis=0, keepdims=True", "axes=0, keepdims=True"),  # torch's or the graph's keyword
        ("rnp.linalg.norm(", "rnp.linalg.nrom("),  # no such function
    ],
    "classifier": [
        ("nn.gelu(", "nn.gleu("),
        ("nn.Linear(4, inside, key=one)", "nn.Linear(4, key=one)"),
        ("random.split(key)", "random.spilt(key)"),
        ("rlx.grad(loss)(", "rlx.grad(loss, has_aus=True)("),
        ("x: rlx.Array = random.normal(data, (32, 4))", "x: rlx.Array = random.normal((32, 4), data, 'f4', 1)"),
        ("axis=-1", "dim=-1"),
        ("nn.save(path, model)", "nn.save(model)"),
    ],
    "pendulum": [
        ('static_argnames=("steps",)', 'static_argname=("steps",)'),
        ("lax.while_loop(more, halve, (x, rnp.int32(0)))[1]", "lax.while_loop(more, halve)[1]"),
        ("rnp.zeros_like(angle)", "rnp.zero_like(angle)"),
        ("rnp.asarray(40.0)))", "rnp.asarray(40.0), 2))"),
        ("lax.top_k(path, 3)", "lax.topk(path, 3)"),
        ("rnp.linspace(0.0, 1.0, 5)", "rnp.linspace(0.0, 1.0, count=5)"),
    ],
    "sampler": [
        ("lax.scan(one, start, random.split(key, steps))[1]", "lax.scan(one)[1]"),
        ("random.uniform(accept)", "random.unifrom(accept)"),
        ("rnp.zeros(2), k, 500)", "rnp.zeros(2), k)"),
        ("means.shape", "means.shpae"),
        ("rowvar=False", "rowvars=False"),
        ("replace=False", "replacement=False"),
    ],
    "training": [
        ("train.AdamW(lr=", "train.AdamW(learning_rate="),
        ("optimizer.update(gradient, state, params)", "optimizer.update(gradient)"),
        ("train.apply_updates(params, updates)", "train.apply_update(params, updates)"),
        (".mean()\n", ".meen()\n"),
        ("step(params, state, x, y)", "step(params, state, x)"),
        ("tree.leaves(", "tree.leafs("),
    ],
}
