"""One list of everything to buy for each build, with numbers, sources and totals."""
