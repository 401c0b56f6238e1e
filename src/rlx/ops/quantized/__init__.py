"""Quantized integers and packed weights."""
