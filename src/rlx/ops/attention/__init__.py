"""Attention and rotary embedding."""
