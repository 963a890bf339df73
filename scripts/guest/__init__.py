"""Build, boot and command a small emulated Linux: Debian's own kernel with simulated GPIO lines."""
