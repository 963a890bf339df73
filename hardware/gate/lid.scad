// The lane's roof, its underside on the bed, with the apron that closes the mouth in front.
include <numbers.scad>
include <shapes.scad>

difference() {
    union() {
        from_to([0, -lid_half, 0], [throat, lid_half, lane_roof_mm]);
        from_to([throat - lane_wall_mm, -lid_half, 0], [throat, lid_half, mouth_height_mm - lane]);
    }
    mirrored() for (s = lid_screws) translate([s, lid_out, 0]) screw(lane_roof_mm);
}
