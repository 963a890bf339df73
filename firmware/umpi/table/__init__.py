"""The table: who sits where, what may be done and by whom, and the state that every screen shows."""
