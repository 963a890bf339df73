"""The network by which phones reach the box: an existing network, or the box's own Wi-Fi if there is none.

All requests go to NetworkManager by its command `nmcli`, which Raspberry Pi OS contains since Bookworm.
"""
