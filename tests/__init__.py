"""The tests, a folder for each room of the package, and the kit that they share."""

import os

# Other packages have plugins for Hypothesis. Nothing uses them, and that of Trio takes 0.3 s of each process.
os.environ.setdefault("HYPOTHESIS_NO_PLUGINS", "1")
