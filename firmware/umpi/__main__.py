"""The command `umpi`, also as `python -m umpi`. The panel shows the first light before everything else is imported."""

import gc
import sys

from umpi.service.first_light import show_first_light


def main() -> int:
    """Run the command line; returns its exit status."""
    show_first_light(sys.argv[1:])
    gc.disable()  # what is imported stays
    from umpi.cli import main

    gc.enable()
    return main()


if __name__ == "__main__":
    sys.exit(main())
