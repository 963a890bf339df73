"""Adds and checks the checksums of lines: printable ASCII, then a star and the CRC-32 of the text before it."""

from binascii import crc32

LONGEST = 300  # characters of a line, without its end


def seal(text):
    """Add the checksum.

    >>> seal("ping 7")
    'ping 7 *959a6566'
    """
    return f"{text} *{crc32(text.encode()):08x}"


def unseal(line):
    """Return the words of a command, or None if its checksum is wrong. A command typed by hand needs no checksum.

    >>> unseal("ping 7 *959a6566"), unseal("ping 7"), unseal("ping 8 *959a6566")
    ('ping 7', 'ping 7', None)
    """
    text, star, _ = line.rpartition(" *")
    if not star:
        return None if "*" in line else line
    return text if seal(text) == line else None


class Reader:
    """Collects bytes into lines. A byte that is not printable ASCII, or too many bytes, spoil the line."""

    def __init__(self):
        self._line = bytearray()
        self._spoilt = False

    def feed(self, data):
        """Return the lines that these bytes complete, None for a spoilt line. Empty lines are ignored."""
        lines = []
        for byte in data:
            if byte in (10, 13):
                if self._spoilt:
                    lines.append(None)
                elif self._line:
                    lines.append(bytes(self._line).decode())
                self._line = bytearray()
                self._spoilt = False
            elif len(self._line) < LONGEST and 32 <= byte < 127:
                self._line.append(byte)
            else:
                self._spoilt = True
        return lines
