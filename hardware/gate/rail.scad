// The rail: x counts upwards from the outer face of the stop, the underside lies on the bed.
include <numbers.scad>
include <shapes.scad>

sides = rail_floor_mm + cube / 2;
stop = rail_floor_mm + cube * rail_stop_height;

difference() {
    union() {
        from_to([0, -rail_width_mm / 2, 0], [rail_length, rail_width_mm / 2, sides]);
        from_to([0, -rail_width_mm / 2, 0], [rail_stop_mm, rail_width_mm / 2, stop]);
    }
    from_to([rail_stop_mm, -rail_lane / 2, rail_floor_mm], [rail_length + slip, rail_lane / 2, sides + slip]);
    // room for finger and thumb beside the cube at the stop
    from_to([rail_stop_mm, -rail_width_mm, rail_floor_mm + rail_finger_mm], [front + cube + 2, rail_width_mm, sides + slip]);
    for (u = rail_screws) translate([u, 0, 0]) screw(rail_floor_mm);
    if (build == "queue") {
        from_to([window_at - window / 2, -window / 2, -slip], [window_at + window / 2, window / 2, rail_floor_mm + slip]);
        from_to([pocket[0], -colour_pocket_mm / 2, -slip], [pocket[1], colour_pocket_mm / 2, rail_floor_mm - colour_ceiling_mm]);
        from_to([-slip, -4, -slip], [pocket[0] + slip, 4, 2]); // the wires
    }
}
