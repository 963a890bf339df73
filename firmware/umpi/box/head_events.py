"""What a sensor head reports, as events for the referee."""

from __future__ import annotations

from umpi.drivers.head_link import HeadReport, HeadState
from umpi.referee.events import DeviceEvent, DeviceStatus


def head_event(report: HeadReport) -> DeviceEvent | None:
    """Return the event of a report; None for a state that no player needs to know.

    >>> head_event(HeadState("identifying", "asking who it is"))
    >>> head_event(HeadState("gone", "it was unplugged")).device
    'head'
    """
    if not isinstance(report, HeadState):
        return report
    if report.name == "identifying":
        return None
    return DeviceStatus("head", report.reason, tuple(sorted(report.dark)))
