"""Fourier transforms and signals."""
