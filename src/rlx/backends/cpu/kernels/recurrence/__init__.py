"""Loops along a sequence: running sums, selective scan, delta net."""
