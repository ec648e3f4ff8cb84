// Clouds on a plane high above the land, bent to the horizon. After common/sky.glsl. Half tiles.

uniform sampler2D cloud_cover;   // rank and its rise along x and z, repeating
uniform vec2 cloud_ranks;        // from no cloud to full
uniform vec2 cloud_offset;
uniform float cloud_height;
uniform float cloud_shade;       // how dark their shadow is
uniform float cloud_period;      // after which they repeat
uniform float cloud_bend;        // radius of the bend
uniform vec3 cloud_light;        // the sun's, up there

// Amount of cloud at a rank. `soft` makes edges wider by so many ranks, and clouds no larger.
float cloud_amount(float rank, float soft) {
    float above = rank - cloud_ranks.x + 0.5 * soft;
    float t = clamp(above / (cloud_ranks.y - cloud_ranks.x + 2.0 * soft), 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

float cloud_amount(float rank) {
    return cloud_amount(rank, 0.0);
}

// What of the sun's light comes through the clouds to a place on the land.
float cloud_shadow(vec3 place) {
    vec2 slant = sun_direction.xz / max(sun_direction.y, 0.08);
    vec2 above = place.xz + slant * max(cloud_height - place.y, 0.0);
    float rank = textureLod(cloud_cover, above / cloud_period + cloud_offset, 2.0).r;
    return 1.0 - cloud_shade * cloud_amount(rank);
}

// Distance from an eye to the plane in a direction above the horizon.
float cloud_distance(float eye, float up) {
    float height = cloud_height - eye;
    float rise = cloud_bend * up;
    return sqrt(rise * rise + height * (2.0 * cloud_bend + height)) - rise;
}

// The sky's colour behind clouds, in a direction above the horizon. `glow` is its haze_phase.
// Without branches, which drivers in software do not save.
vec3 under_clouds(vec3 sky, vec3 eye, vec3 direction, float glow) {
    float distance_to = cloud_distance(eye.y, direction.y);
    vec2 place = (eye.xz + direction.xz * distance_to) / cloud_period + cloud_offset;
    vec3 texel = texture(cloud_cover, place).rgb;
    float amount = cloud_amount(texel.r);
    // Farther clouds are behind more air; at the horizon nothing of them is left.
    float clear = exp2(-distance_to * 0.2) * smoothstep(0.0, 0.06, direction.y);
    float thin = (1.0 - amount) * (1.0 - amount);
    float cover = (1.0 - thin * thin) * clear;
    // The side that faces the sun is lit, the more the lower the sun.
    vec2 toward = sun_direction.xz / max(sun_direction.y, 0.45);
    float slope = dot(128.0 / 255.0 - texel.gb, toward) * 6.0;
    slope /= 1.0 + abs(slope);
    float lit = 0.62 + 0.38 * slope - 0.30 * amount;
    vec3 color = cloud_light * (0.12 + 0.85 * max(lit, 0.0) + 1.2 * glow * thin)
        + ambient_0 * (1.5 - 0.7 * amount);
    return mix(sky, color, cover);
}
