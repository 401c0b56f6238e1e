"""Transforms of graphs and functions: derivatives and batching."""
