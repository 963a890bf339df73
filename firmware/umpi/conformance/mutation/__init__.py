"""Changes of an engine that a record should notice: `umpi check GAME --mutate`.

Each change makes one expression of the rules wrong. A record that fails then, or a random game that shows a fault, has
noticed it. For a change that nothing notices, `question` finds a position where it makes a difference.
"""
