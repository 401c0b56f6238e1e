"""Elements moved: copies, gathers, scatters."""
