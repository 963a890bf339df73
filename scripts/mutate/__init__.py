"""Change the package in one place after the other, and look whether a test notices."""
