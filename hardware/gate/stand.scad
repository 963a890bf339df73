// The stand, on its side on the bed: what it looks like from the side, as thick as it is wide.
include <numbers.scad>
include <shapes.scad>

middle = stand_width_mm / 2;

// A pilot hole at a point of the profile, square to a slope.
module into(foot, along, slope) {
    translate([foot[0], foot[1], middle]) rotate([0, 0, slope]) translate([along, 0, 0]) rotate([-90, 0, 0])
        translate([0, 0, -screws_deep_mm]) cylinder(d = screws_pilot_mm, h = screws_deep_mm + slip);
}

difference() {
    linear_extrude(stand_width_mm) polygon(profile);
    for (u = rail_screws) into(profile[1], u - seat, rail_slope_deg);
    for (s = lane_screws) into(profile[3], s - block[0], lane_slope_deg);
    for (x = feet, across = [-1, 1]) translate([x, -slip, middle + across * stand_foot_in_mm])
        rotate([-90, 0, 0]) cylinder(d = screws_pilot_mm, h = screws_deep_mm);
}
