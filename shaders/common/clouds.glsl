// Clouds on a plane high above the land, bent to the horizon. After common/sky.glsl. Half tiles. CLOUD_DEPTH
// comes from Rust.

uniform sampler2D cloud_cover;   // rank and its rise along x and z, repeating
uniform vec2 cloud_ranks;        // from no cloud to full
uniform vec2 cloud_offset;
uniform float cloud_height;
uniform float cloud_shade;       // how dark their shadow is
uniform float cloud_period;      // after which they repeat
uniform float cloud_bend;        // radius of the bend
uniform vec3 cloud_light;        // the sun's, up there

// Mean of a smooth step between two ranks over a blurred part of the period, where the ranks have that
// mean. Their variance, like that of fractional Brownian motion with H = 0.5, grows with the part; over
// all of the period they are uniform.
float mean_step(vec2 ranks, float rank, float blurred) {
    float width = sqrt((ranks.y - ranks.x) * (ranks.y - ranks.x) + 1.67 * blurred);
    float t = clamp((rank - 0.5 * (ranks.x + ranks.y)) / width + 0.5, 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

// Mean amount of cloud.
float cloud_amount(float rank, float blurred) {
    return mean_step(cloud_ranks, rank, blurred);
}

// Mean part of the sky that clouds hide, near 1 - (1 - amount)^4.
float clouds_hide(float rank, float blurred) {
    return mean_step(vec2(cloud_ranks.x, mix(cloud_ranks.x, cloud_ranks.y, 0.54)), rank, blurred);
}

// What of the sun's light comes through the clouds to a place, averaged over that `footprint`.
float cloud_shadow(vec3 place, float footprint) {
    vec2 slant = sun_direction.xz / max(sun_direction.y, 0.08);
    vec2 above = place.xz + slant * max(cloud_height - place.y, 0.0);
    float blurred = min(footprint / cloud_period, 1.0);
    float level = max(log2(blurred * float(textureSize(cloud_cover, 0).x)), 2.0);
    float rank = textureLod(cloud_cover, above / cloud_period + cloud_offset, level).r;
    return 1.0 - cloud_shade * cloud_amount(rank, blurred);
}

float cloud_shadow(vec3 place) {
    return cloud_shadow(place, 0.0);
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
    // Clouds are not flat: at grazing angles the view passes through many, up to their mean.
    float blurred = min(CLOUD_DEPTH / cloud_period * (1.0 / max(direction.y, 1e-3) - 1.0), 1.0);
    float rank = mix(texel.r, 0.5, 1.0 - sqrt(1.0 - blurred));
    float amount = cloud_amount(rank, blurred);
    // Farther clouds are behind more air; at the horizon nothing of them is left.
    float clear = exp2(-distance_to * 0.2) * smoothstep(0.0, 0.06, direction.y);
    float thin = (1.0 - amount) * (1.0 - amount);
    float cover = clouds_hide(rank, blurred) * clear;
    // The side that faces the sun is lit, the more the lower the sun.
    vec2 toward = sun_direction.xz / max(sun_direction.y, 0.45);
    float slope = dot(128.0 / 255.0 - texel.gb, toward) * 6.0;
    slope /= 1.0 + abs(slope);
    float lit = 0.62 + 0.38 * slope - 0.30 * amount;
    vec3 color = cloud_light * (0.12 + 0.85 * max(lit, 0.0) + 1.2 * glow * thin)
        + ambient_0 * (1.5 - 0.7 * amount);
    return mix(sky, color, cover);
}
