"""Cards: decode scanned cards, and list their codes."""
