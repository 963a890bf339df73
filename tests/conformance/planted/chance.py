"""The bag, in a module that could bring chance into the rules."""

import random

from planted.bag import Bag


class Chancy(Bag):
    """Imports what no engine may."""

    _order = random.Random
