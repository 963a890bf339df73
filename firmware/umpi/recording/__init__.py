"""The flight recorder: keep what happened at the box, write it to a file, and replay it."""
