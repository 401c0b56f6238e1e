"""From Python functions to graphs."""
