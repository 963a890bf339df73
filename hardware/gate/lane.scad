// A lane with its mouth: x counts upwards from the lower end, the floor's underside lies on the bed.
include <numbers.scad>
include <shapes.scad>

lane_beams = 2; // beams that are bored

roof = lane_floor_mm + lane;
top = lane_floor_mm + mouth_height_mm;

// The outline of the channel and the mouth, `out` wider on either side.
module outline(out, end) {
    polygon([
        [-slip, -lane / 2 - out], [throat, -lane / 2 - out], [shoulder, -mouth / 2 - out], [end, -mouth / 2 - out],
        [end, mouth / 2 + out], [shoulder, mouth / 2 + out], [throat, lane / 2 + out], [-slip, lane / 2 + out],
    ]);
}

module body() {
    intersection() {
        linear_extrude(top) outline(lane_wall_mm, length);
        union() {
            from_to([0, -width, 0], [length, width, roof]);
            from_to([throat, -width, 0], [length, width, top]);
        }
    }
    from_to([block[0], -width / 2, 0], [block[1], width / 2, roof]); // the sensors' block
    mirrored() from_to([boss[0], 0, 0], [boss[1], lid_half, roof]); // bears the lid's upper screws
}

// One beam: both sides alike, so that emitter and receiver may change places.
module beam() {
    middle = lane_floor_mm + cube / 2;
    mirrored() translate([0, 0, middle]) {
        rotate([-90, 0, 0]) cylinder(d = sensor_aperture_mm, h = width);
        translate([0, lane / 2 + sensor_baffle_mm, 0]) rotate([-90, 0, 0]) cylinder(d = sensor_nose_mm, h = width);
        slot = lane / 2 + sensor_baffle_mm + sensor_nose_deep_mm;
        from_to([-sensor_slot_mm / 2, slot, -sensor_below_mm], [sensor_slot_mm / 2, width, roof]);
    }
}

// What the back slides into.
module groove() {
    end = length - mouth_back_in_mm;
    half = mouth / 2 + mouth_groove_mm[1];
    from_to([end - mouth_groove_mm[0], -half, lane_floor_mm - mouth_groove_mm[1]], [end, half, top + slip]);
}

difference() {
    body();
    translate([0, 0, lane_floor_mm]) linear_extrude(top) outline(0, length + slip);
    for (beam = [0 : lane_beams - 1]) translate([beams[beam], 0, 0]) beam();
    for (s = lane_screws) translate([s, 0, 0]) screw(lane_floor_mm);
    mirrored() for (s = lid_screws) translate([s, lid_out, 0]) pilot(roof);
    groove();
}
