"""The virtual box: the same service on gpiozero's mock pins, operated by hand, by a script or by a test."""
