"""Attention and its gradient."""
