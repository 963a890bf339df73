"""Review one match for the page: `python -m umpi.review LANGUAGE` reads its record, and prints a document of the page.

It ends by itself if it takes too long.
"""

from __future__ import annotations

import os
import sys

from umpi.i18n.translate import set_language
from umpi.kernel.record import dump
from umpi.lab.patience import patience
from umpi.review.document import document

LONGEST_S = 300.0
AFTER_OTHERS = 10  # how much lower its priority is, so that it delays nothing at the table

if __name__ == "__main__":
    set_language(sys.argv[1])
    os.nice(AFTER_OTHERS)
    with patience(LONGEST_S):
        print(dump(document(sys.stdin.buffer.readlines())))
