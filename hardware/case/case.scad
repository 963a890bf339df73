// The case for a printer, from the dimensions of case.toml: openscad -D 'part="tray"' case.scad -o tray.stl
// Parts: "tray" (base and walls in one), "front" (lies face up; needs no support), "clip".
include <out/dimensions.scad>

part = "tray";
module_name = "2.42";
$fn = 48;

width = outer[0];
depth = outer[1];
height = outer[2];
own = search([module_name], fronts)[0];

module hole_in(points, more) {
  translate([0, 0, -more]) linear_extrude(sheet + 2 * more) polygon(points);
}

// A wall's openings, drawn lying; they are raised so that y becomes z.
module holes_in(cuts, more = 1) {
  for (points = cuts) hole_in(points, more);
}

module near_or_rear(cuts, y, more = 1) {
  translate([0, y + sheet, 0]) rotate([90, 0, 0]) holes_in(cuts, more);
}

module left_or_right(cuts, x, more = 1) {
  translate([x, 0, 0]) rotate([90, 0, 90]) holes_in(cuts, more);
}

module tray() {
  difference() {
    cube([width, depth, height - sheet]);
    translate([sheet, sheet, sheet]) cube([width - 2 * sheet, depth - 2 * sheet, height]);
    holes_in(base_cuts);
    near_or_rear(near_cuts, 0);
    near_or_rear(rear_cuts, depth - sheet);
    left_or_right(left_cuts, 0);
    left_or_right(right_cuts, width - sheet);
  }
}

// Thin ribs in wide openings, so that no bridge is long: cut them out after printing.
module ribs() {
  near_or_rear(rear_ribs, depth - sheet, 0);
  left_or_right(left_ribs, 0, 0);
  left_or_right(right_ribs, width - sheet, 0);
}

// One shape a stroke, cut in at once: pieces that overlap cost the most time.
module groove(points) {
  for (step = [0 : len(points) - 2]) hull() for (at = [points[step], points[step + 1]])
    translate(at) circle(d = groove[0], $fn = 12);
}

module front() {
  difference() {
    cube([width, depth, sheet]);
    holes_in(fronts[own][1]);
    translate([0, 0, sheet - groove[1]]) linear_extrude(sheet) for (points = fronts[own][2]) groove(points);
  }
}

// A clip and its spacer in one.
module clip() {
  difference() {
    union() {
      cube([clip[0], clip[1], sheet]);
      cube([clip[1], clip[1], 2 * sheet]);
    }
    translate([clip[1] / 2, clip[1] / 2, -1]) cylinder(d = screw, h = 2 * sheet + 2);
  }
}

if (part == "tray") { tray(); ribs(); }
if (part == "front") front();
if (part == "clip") clip();
