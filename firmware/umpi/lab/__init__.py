"""The laboratory: play many games by strategies, and measure how fair, long and close a game is."""
