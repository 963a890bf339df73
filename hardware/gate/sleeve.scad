// A ring that fits a 3 mm part to the bore of a 5 mm part.
include <numbers.scad>
include <shapes.scad>

difference() {
    cylinder(d = sensor_sleeve_mm[1], h = sensor_nose_deep_mm - 0.5);
    translate([0, 0, -slip]) cylinder(d = sensor_sleeve_mm[0], h = sensor_nose_deep_mm);
}
