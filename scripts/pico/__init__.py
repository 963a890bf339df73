"""Run the sensor head's program on an emulated Pico: its board, its cable to the box, and the trials."""
