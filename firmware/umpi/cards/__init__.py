"""Cards: decode scanned cards, and print labels."""
