"""Transforms of graphs: derivatives and batching, graph to graph, and of traced functions."""
