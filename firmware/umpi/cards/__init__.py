"""Cards: what a scanned code means, and labels to print."""
