"""A number of things, in words."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """
    >>> counted(1, "token"), counted(2, "token")
    ('1 token', '2 tokens')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
