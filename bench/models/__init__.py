"""The models of the suites: settings, random weights, an f64 definition in NumPy, and the same for torch and JAX."""
