"""What gravity allows between front and back: every real fall fits, and what nothing can fall like does not."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from umpi.timing.fall import Fall

MM_NS = 1e-6  # 1 mm/s in mm per nanosecond
PULL = 1e-15  # 1 m/s²


def reach_ns(way: float, speed: float, pull: float) -> float:
    """When a cube reaches a place so far below, from a speed in mm/ns."""
    return 2 * way / (speed + (speed * speed + 2 * pull * way) ** 0.5)


@given(st.floats(400, 2400), st.floats(-4, 9.81), st.floats(1, 1.42), st.sampled_from((5, 12, 30, 60)))
def test_every_fall_between_friction_and_gravity_fits(mm_s: float, m_s2: float, turned: float, gap: float) -> None:
    speed, pull, length = mm_s * MM_NS, m_s2 * PULL, 16 * turned
    assume(speed * speed + 2 * pull * (gap + length) > (200 * MM_NS) ** 2)
    front, whole = reach_ns(gap, speed, pull), reach_ns(length, speed, pull)
    back = reach_ns(gap + length, speed, pull) - whole
    fall = Fall(gap, 16, 16 * 1.42)
    fronts, backs = fall.of_one((front, front), (back, back), max(whole, whole + back - front) + 1)
    assert fronts[0] <= front <= fronts[1]
    assert backs[0] <= back <= backs[1]
    for least, most in (fall.dark_by_front((front, front)), fall.dark_by_back((back, back))):
        assert least - 1 <= whole <= most + 1


@given(st.floats(400, 2400), st.sampled_from((-0.05, 0.05)))
def test_occlusions_that_break_the_laws_of_motion_are_not_one_cube(mm_s: float, beyond: float) -> None:
    speed, dark_ns = mm_s * MM_NS, 14e6
    after = speed + (9.81 if beyond > 0 else -4) * PULL * dark_ns + beyond * speed
    assume(after > 0)
    front, back = 12 / speed, 12 / after
    fronts, backs = Fall(12, 16, 23).of_one((front, front), (back, back), dark_ns)
    assert fronts[0] > fronts[1]
    assert backs[0] > backs[1]
