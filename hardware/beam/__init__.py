"""The beam board: its circuit, and how much light each beam has to spare."""
