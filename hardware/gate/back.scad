// Closes the mouth behind where cubes are tossed straight in; left out where the game's own chute lies there.
include <numbers.scad>
include <shapes.scad>

half = mouth / 2 + mouth_groove_mm[1] - 0.2; // it slides

from_to([-half, 0, 0], [half, mouth_height_mm + mouth_groove_mm[1], mouth_back_mm]);
