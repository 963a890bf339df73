"""Play for long, break things on purpose, and find what grows or is lost."""
