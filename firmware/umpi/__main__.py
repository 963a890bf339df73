"""Makes `python -m umpi` the command `umpi`."""

import sys

from umpi.cli import main

if __name__ == "__main__":
    sys.exit(main())
