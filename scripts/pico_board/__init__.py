"""The emulated Pico of scripts/pico: its board, its cable to the box, and the trials."""
