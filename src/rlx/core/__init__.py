"""Types, sizes, errors, reports: the base of every layer."""
