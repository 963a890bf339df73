"""The sounds of a box."""

from typing import Literal

Sound = Literal["accepted", "refused", "cube", "winner", "time", "good", "bad", "call"]
