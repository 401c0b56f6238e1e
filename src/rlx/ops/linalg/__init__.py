"""Factorizations and decompositions of matrices, systems of linear equations, and what is made of them."""
