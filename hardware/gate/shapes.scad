// Holes that several parts have. Every part lies as it is printed, nothing needs support unless its page says so.
$fn = 32;
slip = 0.01; // what is cut off reaches so far beyond what it is cut from

// A countersunk screw from above at height z, through all below.
module screw(z) {
    translate([0, 0, -slip]) cylinder(d = screws_through_mm, h = z + 2 * slip);
    translate([0, 0, z - screws_sunk_mm]) cylinder(d1 = screws_through_mm, d2 = screws_head_mm, h = screws_sunk_mm + slip);
}

// A screw's pilot hole from z downwards.
module pilot(z, deep = screws_deep_mm) {
    translate([0, 0, z - deep]) cylinder(d = screws_pilot_mm, h = deep + slip);
}

// A box from corner to corner.
module from_to(low, high) {
    sides = high - low; // `cube` is the name of what falls here
    translate(low) linear_extrude(sides[2]) square([sides[0], sides[1]]);
}

// The same on both sides of the middle.
module mirrored() {
    children();
    mirror([0, 1, 0]) children();
}
