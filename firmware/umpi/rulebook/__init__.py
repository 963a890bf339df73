"""The rules of the games, as texts for players: read from the package of each game, shown and printed."""
