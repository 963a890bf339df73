"""What gravity and friction allow between the front and the back of a cube that passes two beams."""

from __future__ import annotations

from math import inf, sqrt

from umpi.frozen import frozen

# mm per square nanosecond: the strongest friction on a slope, and free fall
PULLS = -4.0e-15, 9.81e-15

Range = tuple[float, float]  # from, to


@frozen
class Fall:
    """A cube between two beams, with lengths in mm. Its acceleration is constant, and one of PULLS or between them."""

    gap: float
    shortest: float
    longest: float

    def of_one(self, front_ns: Range, back_ns: Range, dark_ns: float) -> tuple[Range, Range]:
        """Return the travel times of a front and of a back that can belong to one cube; empty (from > to) if none can.

        The back passes the beams `dark_ns` after the front, and by then has gained or lost speed.
        """
        lost, gained = (pull * dark_ns for pull in PULLS)
        front = self._after(back_ns[0], -lost), self._after(back_ns[1], -gained)
        back = self._after(front_ns[0], gained), self._after(front_ns[1], lost)
        return (
            (max(front_ns[0], front[0]), min(front_ns[1], front[1])),
            (max(back_ns[0], back[0]), min(back_ns[1], back[1])),
        )

    def dark_by_front(self, travel_ns: Range) -> Range:
        """Return how long a cube can darken the first beam, from the time of its front between the beams."""
        return (
            min(_dark_ns(self.shortest, self._first(travel_ns[0], pull), pull) for pull in PULLS),
            max(_dark_ns(self.longest, self._first(travel_ns[1], pull), pull) for pull in PULLS),
        )

    def dark_by_back(self, travel_ns: Range) -> Range:
        """Return how long a cube can darken the first beam, from the time of its back between the beams."""
        friction, gravity = PULLS  # seen backwards in time, a back that gains speed is a front that loses it
        return (
            _dark_ns(self.shortest, self._first(travel_ns[0], friction), -friction),
            _dark_ns(self.longest, self._first(travel_ns[1], gravity), -gravity),
        )

    def _first(self, travel_ns: float, pull: float) -> float:
        """Return the speed at the first beam of a rim that travels for so long to the second."""
        return self.gap / travel_ns - pull * travel_ns / 2

    def _after(self, travel_ns: float, gained: float) -> float:
        """Return the travel time at a speed that is higher by `gained`."""
        speed = self.gap / travel_ns + gained
        return self.gap / speed if speed > 0 else inf


def _dark_ns(length: float, speed: float, pull: float) -> float:
    """Return how long a cube takes for its own length from this speed; infinite if it stops before."""
    squared = speed * speed + 2 * pull * length
    return 2 * length / (speed + sqrt(squared)) if speed > 0 and squared >= 0 else inf
