"""Convolutions, pooling, resizing."""
