"""Write a drawing in millimetres as DXF, as PDF pages true to scale, as SVG and as a picture."""

from hardware.drawing.sheet import Sheet

__all__ = ["Sheet"]
