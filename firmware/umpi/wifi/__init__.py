"""The network that phones reach the box by: the one it is in, or its own where there is none.

All is asked of NetworkManager through its `nmcli`, which Raspberry Pi OS has from Bookworm on.
"""
