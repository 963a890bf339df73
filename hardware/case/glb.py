"""Write an assembly as glTF 2.0 in one binary file, which browsers, Blender and other viewers open."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from typing import Any

from hardware.case.assembly import Piece

MM = 0.001  # glTF counts metres, and its y is up
FLOAT, SHORT, VERTICES, INDICES = 5126, 5123, 34962, 34963


def glb(pieces: Sequence[Piece]) -> bytes:
    """Return the file. Each node has its name, and in `extras` how far it goes up when exploded, in metres.

    There are no normals: viewers then draw flat faces. Raises struct.error if a piece has over 65,535 corners.
    """
    data = bytearray()
    views: list[dict[str, Any]] = []
    accessors: list[dict[str, Any]] = []
    colours = list(dict.fromkeys(piece.colour for piece in pieces))
    nodes, meshes = [], []

    def view(values: bytes, target: int) -> int:
        while len(data) % 4:
            data.append(0)
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(values), "target": target})
        data.extend(values)
        return len(views) - 1

    for piece in pieces:
        corners: dict[tuple[float, ...], int] = {}
        order = [
            corners.setdefault((round(x * MM, 6), round(z * MM, 6), round(-y * MM, 6)), len(corners))
            for triangle in piece.mesh.triangles
            for x, y, z in triangle
        ]
        flat = [value for corner in corners for value in corner]
        lows, highs = ([end(flat[axis::3]) for axis in range(3)] for end in (min, max))
        at = view(struct.pack(f"<{len(flat)}f", *flat), VERTICES)
        accessors.append({
            "bufferView": at, "componentType": FLOAT, "count": len(corners), "type": "VEC3", "min": lows, "max": highs,
        })  # fmt: skip
        at = view(struct.pack(f"<{len(order)}H", *order), INDICES)
        accessors.append({"bufferView": at, "componentType": SHORT, "count": len(order), "type": "SCALAR"})
        own = {"POSITION": len(accessors) - 2}
        material = colours.index(piece.colour)
        meshes.append({"primitives": [{"attributes": own, "indices": len(accessors) - 1, "material": material}]})
        nodes.append({"name": piece.name, "mesh": len(meshes) - 1, "extras": {"up": round(piece.up * MM, 4)}})
    document = {
        "asset": {"version": "2.0", "generator": "Umpi", "copyright": "CERN-OHL-P-2.0"},
        "scene": 0, "scenes": [{"nodes": list(range(len(nodes)))}], "nodes": nodes, "meshes": meshes,
        "materials": [_material(colour) for colour in colours], "accessors": accessors, "bufferViews": views,
        "buffers": [{"byteLength": len(data)}],
    }  # fmt: skip
    return _packed(json.dumps(document, separators=(",", ":")).encode(), bytes(data))


def _packed(text: bytes, data: bytes) -> bytes:
    text += b" " * (-len(text) % 4)
    data += b"\0" * (-len(data) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(data), 0x004E4942) + data
    return struct.pack("<III", 0x46546C67, 2, 12 + len(chunks)) + chunks


def _material(colour: tuple[int, int, int]) -> dict[str, Any]:
    linear = [round((part / 255) ** 2.2, 4) for part in colour]
    return {"pbrMetallicRoughness": {"baseColorFactor": [*linear, 1], "metallicFactor": 0, "roughnessFactor": 0.7}}
