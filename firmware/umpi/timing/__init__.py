"""Who was first: edges of inputs to cubes in their order, and to presses. Pure: time comes with the edges."""
