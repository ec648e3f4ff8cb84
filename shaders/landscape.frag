// The ground as it is photographed. In: world space, half tiles.

in vec3 v_world;
in vec2 v_tile;

uniform float tiles;
uniform vec3 eye;

void main() {
    vec3 normal = smooth_normal(v_tile, tiles);
    Ground ground = ground_at(v_world, normal, eye);
    float sun = sun_visibility(v_tile, tiles) * cloud_shadow(v_world);
    float sky = sky_visibility(v_tile, tiles);
    float facing = max(dot(ground.normal, sun_direction), 0.0);
    vec3 light = sun_light * (facing * sun) + ambient_light(ground.normal) * sky;
    vec3 direction = normalize(v_world - eye);
    vec3 color = mix(fog_color(direction), ground.albedo * light, haze_clear(eye, v_world));
    finish(dithered(tonemap(color)));
}
