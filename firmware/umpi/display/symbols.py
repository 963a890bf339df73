"""Symbols that the fonts lack, and clearer shapes for similar letters; "#" is a lit dot."""

from __future__ import annotations

FIRE, WATER, AIR, EARTH, ETHER = "🔥", "💧", "💨", "⛰", "✦"
DIE, HEXAGON, PAUSE, SPACE = "⬟", "⬡", "⏸", "␣"

SMALL_ART = {  # up to 5 × 7 dots, in the cells of all fonts except the smallest
    FIRE: "..#. .#.. .##. ##.# #### #### .##.",
    WATER: ".#. .#. ### ### ### ### .#.",
    AIR: ".... .#.# #.#. .... .#.# #.#. ....",
    EARTH: ".... .#.. ###. ###. #### #### ####",
    ETHER: "... #.# .#. ### .#. #.# ...",
    DIE: "..#.. .#.#. #...# #.#.# #...# .###. .....",
    HEXAGON: "..#.. .#.#. #...# #...# #...# .#.#. ..#..",
    PAUSE: "##.## ##.## ##.## ##.## ##.## ##.## ##.##",
    SPACE: "..... ..... ..... ..... #...# #...# #####",
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
    SPACE: "... ... ... #.# ###",
}

POINTS = {  # misc-fixed draws them as small crosses
    ".": "..... ..... ..... ..... ..... .##.. .##..",
    ":": "..... .##.. .##.. ..... ..... .##.. .##..",
}

# misc-fixed draws 0 as a diamond, and H, M, N and W (K in the smallest) too much alike
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
SMALL_BEFORE_CAPITALS = {  # the wide letters would touch a capital
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
