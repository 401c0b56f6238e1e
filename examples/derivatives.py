"""Gradients, Jacobians and batches of functions: transforms compose."""

import numpy as np

import rlx


def energy(x: rlx.Value) -> rlx.Value:
    """A function of a vector."""
    return (x * x * x).sum() + (x[1:] * x[:-1]).sum()


def main() -> None:
    """Print derivatives of first and second order."""
    x = np.array([1.0, 2.0, 3.0], np.float32)
    print("gradient       ", rlx.grad(energy)(x))
    print("Hessian        ", *np.asarray(rlx.jacfwd(rlx.grad(energy))(x)).tolist())
    print("Hessian · ones ", rlx.jvp(rlx.grad(energy), (x,), (np.ones(3, np.float32),))[1])
    rows = np.stack([x, -x])
    print("for each row   ", *np.asarray(rlx.vmap(rlx.grad(energy))(rows)).tolist())


if __name__ == "__main__":
    main()
