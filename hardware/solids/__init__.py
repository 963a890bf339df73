"""Solids by build123d: simple shapes, what they are written to, and a shaded picture of them.

It needs build123d: pip install -e '.[cad]'. Whoever imports this package does so where it draws.
"""
