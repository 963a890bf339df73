"""One box: its configuration and calibration, and its devices put together."""
