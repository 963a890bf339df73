"""One box at play: the match on the table, and what presses, cubes, cards, phones and timers do to it."""
