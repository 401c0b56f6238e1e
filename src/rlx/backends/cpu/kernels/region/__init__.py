"""Regions: elementwise code and reductions over one iteration space."""
