"""Symbols the fonts lack: the five elements, a twelve-sided die, a hexagon, a pause; "#" is a dot that is lit."""

from __future__ import annotations

FIRE, WATER, AIR, EARTH, ETHER = "🔥", "💧", "💨", "⛰", "✦"
DIE, HEXAGON, PAUSE = "⬟", "⬡", "⏸"

SMALL_ART = {  # up to 5 × 7 dots, in the cells of all fonts but the smallest
    FIRE: "..#. .#.. .##. ##.# #### #### .##.",
    WATER: ".#. .#. ### ### ### ### .#.",
    AIR: ".... .#.# #.#. .... .#.# #.#. ....",
    EARTH: ".... .#.. ###. ###. #### #### ####",
    ETHER: "... #.# .#. ### .#. #.# ...",
    DIE: "..#.. .#.#. #...# #.#.# #...# .###. .....",
    HEXAGON: "..#.. .#.#. #...# #...# #...# .#.#. ..#..",
    PAUSE: "##.## ##.## ##.## ##.## ##.## ##.## ##.##",
}
TINY_ART = {  # 3 × 5 dots
    FIRE: ".#. ##. ### #.# ###",
    WATER: ".#. .#. ### ### .#.",
    AIR: "... ##. .## ##. .##",
    EARTH: "... .#. .#. ### ###",
    ETHER: ".#. .#. ### .#. .#.",
    DIE: ".#. #.# #.# #.# ###",
    HEXAGON: ".#. #.# #.# #.# .#.",
    PAUSE: "#.# #.# #.# #.# #.#",
    "K": "#.# ##. #.. ##. #.#",  # which misc-fixed draws much like an H
}

POINTS = {  # which misc-fixed draws as small crosses
    ".": "..... ..... ..... ..... ..... .##.. .##..",
    ":": "..... .##.. .##.. ..... ..... .##.. .##..",
}
