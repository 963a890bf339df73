"""Translation: texts for players in the language of the box."""
