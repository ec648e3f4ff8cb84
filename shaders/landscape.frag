// The ground as it is photographed, from its distances. After common/distances.glsl.

uniform float tiles;
uniform vec3 eye;

vec4 seen_at(float away) {
    vec3 from_eye = v_beside + v_ray * away;
    vec3 world = eye + from_eye;
    vec2 tile = world.xz / tile_side + 0.5 * tiles;
    vec3 way = way_seen(v_beside, v_ray, away);
    float size = pixel_size(way);
    Surface surface = surface_at(tile, tiles, way, size);
    vec3 mean = surface.normal;
    float length_of_mean = max(length(mean), 0.2);
    vec4 weights = covers_at(tile, tiles, size - log2(tile_side.x));
    vec3 normal = mean / length_of_mean;
    vec3 lie = lie_at(tile, tiles, size, normal);
    Material material = material_at(from_eye, tile, world.y, normal, lie, weights, surface.snow, size);
    vec2 seen = surface.seen;
    float sun = seen.x * cloud_shadow(world);
    float facing = max(dot(material.normal, sun_direction), 0.0) * length_of_mean;
    vec3 light = sun_light * (facing * sun) + ambient_light(material.normal) * seen.y
        + ground_light(material.albedo, 1.0 - seen.y);
    vec3 direction = normalize(way);
    vec3 color = mix(fog_color(direction), material.albedo * light, haze_clear(eye, world));
    return vec4(tonemap(color), 1.0);
}

void main() {
    finish(dithered(seen().rgb));
    out_color *= ground_part();
}
