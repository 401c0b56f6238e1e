"""Products, grouped products, systems of equations."""
