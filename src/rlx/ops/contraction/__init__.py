"""Products and grouped products."""
