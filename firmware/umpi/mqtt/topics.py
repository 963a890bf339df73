"""The topics of boxes and of the club. BOX is the id of a box.

| topic | retained | what |
|---|---|---|
| `umpi/BOX/online` | yes | `online`; the broker changes it to `offline` if the bridge is gone |
| `umpi/BOX/state` | yes | what the table shows |
| `umpi/BOX/call` | no | what the referee says |
| `umpi/BOX/result` | no | a match that is over, or is no longer over |
| `umpi/BOX/start` | no | to the box: start the last table again |
| `umpi/BOX/next` | yes | to the box: the match to offer next; empty for none |
| `umpi/BOX/reply` | no | what became of a start or an offer |
| `umpi/BOX/kept` | no | from the club: a result in its database; with `refused`, why it is not there |
| `umpi/club/online` | yes | `online` whenever the club can keep results |
| `umpi/club/kept` | no | from the club to itself: it comes back if its user may publish for the club |
"""

from __future__ import annotations

ROOT = "umpi"
CLUB = f"{ROOT}/club/online"
ECHO = f"{ROOT}/club/kept"  # only the club may publish here, and no box has this id: what comes back shows its rights
ONLINE, OFFLINE = "online", "offline"
BIRTH = "homeassistant/status"  # where Home Assistant says that it has started


def of(box: str, what: str) -> str:
    """Return a topic of a box.

    >>> of("3f9ac1d20b7e", "state")
    'umpi/3f9ac1d20b7e/state'
    """
    return f"{ROOT}/{box}/{what}"


def parts(topic: str) -> tuple[str, str]:
    """Return the box and the last word of a topic, ("", "") for a foreign one.

    >>> parts("umpi/3f9ac1d20b7e/state"), parts("homeassistant/status")
    (('3f9ac1d20b7e', 'state'), ('', ''))
    """
    root, *rest = topic.split("/")
    return (rest[0], rest[1]) if root == ROOT and len(rest) == 2 else ("", "")
