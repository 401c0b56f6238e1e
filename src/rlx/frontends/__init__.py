"""Functions to write models and programs with: `rlx.numpy`, `rlx.lax`, `rlx.nn`, `rlx.random`."""
