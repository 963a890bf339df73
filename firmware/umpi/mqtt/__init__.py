"""The bridge from one box to an MQTT broker: a process of its own that reads the box's event stream."""
