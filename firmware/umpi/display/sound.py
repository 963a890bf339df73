"""The sounds of a box."""

from umpi.kernel.calls import Sound as Sound
