"""One box: its configuration, its calibration and its devices."""
