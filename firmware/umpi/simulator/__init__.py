"""The virtual box: the same service on gpiozero's mock pins, driven by a hand, a script or a test."""
