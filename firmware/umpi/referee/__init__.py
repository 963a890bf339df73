"""One box in play: the match, and how presses, cubes, cards, phones and timers change it."""
