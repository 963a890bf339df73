"""Simulate pins for `umpi run` in a container without any, and block its loop on a signal, as a bug would."""

import signal
import sys
import time

if "run" in sys.orig_argv:
    import gpiozero.pins.mock

    import umpi.drivers.pin_factory

    umpi.drivers.pin_factory.GpiodFactory = gpiozero.pins.mock.MockFactory  # type: ignore[misc]
    signal.signal(signal.SIGUSR1, lambda number, frame: time.sleep(600))
