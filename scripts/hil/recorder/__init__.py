"""Put in front of Python’s own modules by PYTHONPATH: records the calls of RPi.GPIO."""
