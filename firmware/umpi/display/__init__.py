"""The display: what the OLED shows, and what the buttons do on each screen."""
