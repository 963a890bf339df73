"""The card of a finished box: its start, its two slots, and updates that can be taken back."""
