"""Elements chosen by integer values, and by order."""
