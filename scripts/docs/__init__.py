"""Write pages and lists from the code."""
