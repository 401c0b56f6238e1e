"""Recurrences over a sequence."""
