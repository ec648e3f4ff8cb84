// The cut through the ground at its border, in layers, darker with depth.

uniform vec3 eye;
uniform float base;

vec3 earth_at(vec3 world, vec3 normal) {
    float height = clamp((world.y - base) * height_range.y, 0.0, 1.0);
    vec3 earth = texture(materials, vec2(0.35, 0.75)).rgb;
    vec3 albedo = mix(vec3(dot(earth, vec3(0.3, 0.6, 0.1))), earth, 0.7) * mix(0.35, 0.8, height);
    float facing = max(dot(normal, sun_direction), 0.0);
    vec3 light = sun_light * facing + ambient_light(normal) * mix(0.4, 1.0, height);
    vec3 direction = normalize(world - eye);
    return dithered(tonemap(mix(fog_color(direction), albedo * light, haze_clear(eye, world))));
}
