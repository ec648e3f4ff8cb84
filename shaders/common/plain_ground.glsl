// Ground without what lies between the samples, lit. After common/smooth_normal.glsl,
// common/visibility.glsl, common/clouds.glsl and common/material.glsl. Linear light.

// The ground at a place, counted in tiles as well, under covers of these weights, for a pixel of that
// size.
vec3 plain_ground(vec3 world, vec2 tile, vec4 weights, float tiles, float size) {
    vec3 normal = smooth_normal(tile, tiles, size);
    float steep = 1.0 - smoothstep(rock.x, rock.y, normal.y);
    float height = (world.y - height_range.x) * height_range.y;
    vec3 albedo = texture(materials, vec2(seen_height(height, normal), 0.25 + 0.5 * steep)).rgb;
    albedo = under_covers(albedo, weights);
    albedo = mix(albedo, SAND, sand_part(world.y, 0.0) * (1.0 - steep));
    float facing = max(dot(normal, sun_direction), 0.0);
    vec2 seen = visibility_at(tile, tiles, size);
    vec3 light = sun_light * (facing * seen.x * cloud_shadow(world)) + ambient_light(normal) * seen.y
        + ground_light(albedo, 1.0 - seen.y);
    return albedo * light;
}
