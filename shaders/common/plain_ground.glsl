// Ground without what lies between the samples, lit. After common/smooth_normal.glsl,
// common/visibility.glsl, common/clouds.glsl, common/material.glsl and common/canopy.glsl. Linear light.

// The ground at a place that way from the eye, counted in tiles as well, under covers of these weights and plants of which
// such shares of the layers are drawn one by one, for a pixel of that size.
vec3 plain_ground(vec3 world, vec3 from_eye, vec2 tile, vec4 weights, vec4 single, float tiles, float size) {
    vec4 mean = normal_and_snow(tile, tiles, size);
    vec3 normal = unit_of(mean.xyz);
    vec3 lie = lie_at(tile, tiles, size, normal);
    float white = snow_part(mean.w, normal, 0.0);
    vec3 albedo = ground_albedo(world.y, lie, steep_part(lie, 0.0), weights, white, 0.0);
    float facing = max(dot(normal, sun_direction), 0.0);
    vec2 seen = visibility_at(tile, tiles, size);
#ifdef CANOPY
    seen.x *= cloud_shadow(world);
    Crowns crowns = crowns_at(from_eye, single, tile, tiles, normal, mean.w, size);
    vec3 of_crowns = crowns.albedo * crown_light(crowns, from_eye, normal, seen);
    albedo = mix(albedo, crowns.ground.rgb, crowns.ground.a * (1.0 - white));
    seen *= crowns.below;
    vec3 light = sun_light * (facing * seen.x) + ambient_light(normal) * seen.y + ground_light(albedo, 1.0 - seen.y);
    return mix(albedo * light, of_crowns, crowns.seen);
#else
    vec3 light = sun_light * (facing * seen.x * cloud_shadow(world)) + ambient_light(normal) * seen.y
        + ground_light(albedo, 1.0 - seen.y);
    return albedo * light;
#endif
}
