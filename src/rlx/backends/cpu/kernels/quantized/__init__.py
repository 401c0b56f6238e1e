"""Products and gathers of packed weights."""
