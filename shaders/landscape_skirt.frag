// The cut through the ground at its border, in layers, darker with depth. In: world space.

in vec3 v_world;
flat in vec3 v_normal;

uniform vec3 eye;
uniform float base;

void main() {
    float height = clamp((v_world.y - base) * height_range.y, 0.0, 1.0);
    vec3 earth = texture(materials, vec2(0.35, 0.75)).rgb;
    vec3 albedo = mix(vec3(dot(earth, vec3(0.3, 0.6, 0.1))), earth, 0.7) * mix(0.35, 0.8, height);
    float facing = max(dot(v_normal, sun_direction), 0.0);
    vec3 light = sun_light * facing + ambient_light(v_normal) * mix(0.4, 1.0, height);
    vec3 direction = normalize(v_world - eye);
    vec3 color = mix(fog_color(direction), albedo * light, haze_clear(eye, v_world));
    finish(dithered(tonemap(color)));
}
