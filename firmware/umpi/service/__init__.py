"""The running program: its start, its event loop, its status for systemd, and its log."""
