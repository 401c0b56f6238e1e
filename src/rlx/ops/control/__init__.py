"""Ops that hold a body: loops, branches, fused nodes, functions and ops of the user."""
