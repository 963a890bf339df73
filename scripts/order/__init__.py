"""Compare finish orders on a real kernel: pull lines at exact gaps, and record what Umpi and other programs report."""
