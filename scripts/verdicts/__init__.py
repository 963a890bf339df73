"""Count wrong verdicts in simulated tosses and races."""
