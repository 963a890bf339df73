"""A drawing in millimetres to DXF, to PDF pages true to scale, to SVG and to a picture."""

from hardware.drawing.sheet import Sheet

__all__ = ["Sheet"]
