"""A small Linux under emulation, Debian's own kernel with simulated GPIO lines: built, booted, told what to run."""
