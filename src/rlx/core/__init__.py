"""Types, sizes, errors, reports: what every layer stands on."""
