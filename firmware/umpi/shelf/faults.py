"""The faults of a disk or a network that a shelf usually meets, in words for the players."""

from __future__ import annotations

import errno
from socket import gaierror

from umpi.kernel.messages import message

KNOWN = {
    errno.ENOENT: message("there is no such file or folder"),
    errno.EACCES: message("the box may not read or write it"),
    errno.EPERM: message("the box may not read or write it"),
    errno.ENOTDIR: message("there is no such file or folder"),
    errno.EISDIR: message("it is a folder, not a file"),
    errno.ENOSPC: message("the disk is full"),
    errno.EROFS: message("nothing can be written on this disk"),
    errno.EIO: message("the disk does not answer"),
    errno.ECONNREFUSED: message("nobody answers there"),
    errno.ECONNRESET: message("the other side has ended the connection"),
    errno.ECONNABORTED: message("the other side has ended the connection"),
    errno.EPIPE: message("the other side has ended the connection"),
    errno.ENETUNREACH: message("the box is in no network that leads there"),
    errno.EHOSTUNREACH: message("the box is in no network that leads there"),
    errno.ETIMEDOUT: message("no answer came"),
}


def why_not(fault: OSError) -> str:
    """Return why a file cannot be read or written, or an address not reached.

    >>> str(why_not(FileNotFoundError(2, "No such file or directory")))
    'there is no such file or folder'
    """
    if isinstance(fault, gaierror):
        return message("the network of the box does not know this address ({why})", why=fault.strerror)
    if fault.errno in KNOWN:
        return KNOWN[fault.errno]
    return message("the system reports an error ({what})", what=fault.strerror or str(fault) or type(fault).__name__)
