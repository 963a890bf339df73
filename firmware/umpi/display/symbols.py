"""Symbols the fonts lack, and letters they draw too much alike; "#" is a dot that is lit."""

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
}

POINTS = {  # which misc-fixed draws as small crosses
    ".": "..... ..... ..... ..... ..... .##.. .##..",
    ":": "..... .##.. .##.. ..... ..... .##.. .##..",
}

# misc-fixed draws 0 as a diamond, and H, M, N and W (K in the smallest) so that one is read as the other
NORMAL_LETTERS = {
    "0": ".##. #..# #..# #..# #..# #..# .##.",  # narrower than an O
    "M": "#...# ##.## ##.## #.#.# #.#.# #...# #...#",
    "N": "#...# ##..# ##..# #.#.# #..## #..## #...#",
    "W": "#...# #...# #...# #.#.# #.#.# #.#.# .#.#.",
}
SMALL_LETTERS = {
    "0": ".## #.# #.# #.# #.# ##.",
    "M": "#...# ##.## #.#.# #.#.# #...# #...#",
    "N": "#..# ##.# ##.# #.## #.## #..#",
    "W": "#...# #...# #.#.# #.#.# #.#.# .#.#.",
}
SMALL_BEFORE_CAPITALS = {  # which would touch the wide ones
    "M": "#..# #### #### #..# #..# #..#",
    "W": "#..# #..# #..# #### #### .##.",
}
TINY_LETTERS = {
    "0": ".## #.# #.# #.# ##.",
    "K": "#.# ##. #.. ##. #.#",
    "M": "### ### #.# #.# #.#",
    "N": "##. #.# #.# #.# #.#",
    "W": "#.# #.# #.# ### ###",
    "m": "### ### #.# #.#",
    "w": "#.# #.# ### ###",
}
