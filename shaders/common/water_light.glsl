// What water mirrors of sky and sun, and what is seen through it. After common/sky.glsl and
// common/clouds.glsl. World space, half tiles; linear light.

uniform vec3 absorption;         // 1 / half tiles
uniform vec3 body_color;         // what deep water sends back of white light

// How much is mirrored, by the cosine of the view to the water and the deviation of its slopes.
float mirrored_part(float cosine, float deviation) {
    return 0.02 + 0.98 * pow(1.0 - cosine, 5.0 * exp(-2.69 * deviation))
        / (1.0 + 22.7 * deviation * sqrt(deviation));
}

// The sun mirrored by the part of the waves that are turned just so, under that part of the sun.
vec3 glitter(vec3 direction, vec2 slope, float rough, float facing, float sun) {
    vec3 half_way = normalize(sun_direction - direction);
    vec2 needed = -half_way.xz / max(half_way.y, 0.05) - slope;
    float spot = rough + 1.2e-3;
    float upright = half_way.y * half_way.y;
    float part = exp(-dot(needed, needed) / spot)
        / (4.0 * spot * upright * upright * max(facing, 0.06));
    float fresnel = 0.02 + 0.98 * pow(1.0 - max(dot(half_way, sun_direction), 0.0), 5.0);
    return sun_light * (sun * min(fresnel * part, 60.0) * step(0.0, sun_direction.y));
}

// What is left of each colour on the way down and up again. Light goes slanted as Snell has it.
vec3 seen_through(float depth, float cosine, float sun_up) {
    float path = depth * (inversesqrt(1.0 - 0.57 * (1.0 - cosine * cosine))
        + inversesqrt(1.0 - 0.57 * (1.0 - sun_up * sun_up)));
    return exp(-absorption * path);
}

// Clouds as rough water mirrors them: the rougher, the softer. `spread` is in radians.
vec3 mirrored_clouds(vec3 sky, vec3 place, vec3 direction, float glow, float spread) {
    float far = cloud_distance(place.y, direction.y);
    vec2 at = (place.xz + direction.xz * far) / cloud_period + cloud_offset;
    float level = clamp(log2(spread * far * 80.0 * inversesqrt(max(direction.y, 0.02))), 0.0, 7.0);
    // Between two levels, since the sampler takes the nearest: its steps would be lines on the water.
    float finer = textureLod(cloud_cover, at, floor(level)).r;
    float coarser = textureLod(cloud_cover, at, floor(level) + 1.0).r;
    float amount = cloud_amount(mix(finer, coarser, fract(level)), 0.03 * level);
    float clear = exp2(-far * 0.2) * smoothstep(0.0, 0.06, direction.y);
    float thin = (1.0 - amount) * (1.0 - amount);
    vec3 color = cloud_light * (0.67 - 0.26 * amount + 1.2 * glow * thin)
        + ambient_0 * (1.5 - 0.7 * amount);
    return mix(sky, color, (1.0 - thin * thin) * clear);
}
