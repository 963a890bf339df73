"""The face: what the OLED says, and what the buttons mean there."""
