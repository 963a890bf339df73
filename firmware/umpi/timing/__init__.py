"""Timing: finish order of cubes and presses of buttons, from edges of inputs. Pure: time comes with the edges."""
