"""The card of a finished box: build its image from Debian and this repository, boot it in QEMU, and sign updates."""
