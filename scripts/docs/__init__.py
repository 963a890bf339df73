"""Write pages, scenarios and lists from the code."""
