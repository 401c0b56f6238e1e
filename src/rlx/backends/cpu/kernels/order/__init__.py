"""Order and extremes along an axis."""
