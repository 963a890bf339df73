"""The devices: one small module each; none knows a game."""
