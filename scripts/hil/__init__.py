"""Play on the installed Umpi in the guest, by simulated lines, buses and ports."""
