"""The chance that each build works at the first try."""
