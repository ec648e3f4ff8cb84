// The dome of directions, around the eye and behind everything.

in vec3 direction;

uniform mat4 clip_from_world;
uniform vec3 eye;

out vec3 v_direction;
out vec3 v_air;
out vec3 v_haze;
out float v_land;
out vec3 v_clear;       // of haze
out vec3 v_fog;

void main() {
    vec2 place = sky_place(direction);
    v_direction = direction;
    v_air = sky_air(place);
    v_haze = sky_haze(place);
    v_land = land_part(direction.y);
    vec3 land = eye + direction * (max(eye.y - haze.y, 0.0) / max(-direction.y, 0.003));
    v_clear = direction.y > 0.0 ? vec3(haze_clear_out(eye, direction)) : haze_clear(eye, land);
    v_fog = fog_color(direction);
    gl_Position = (clip_from_world * vec4(direction + eye, 1.0)).xyww;
}
