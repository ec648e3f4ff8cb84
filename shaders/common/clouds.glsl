// Clouds on a plane high above the land, bent to the horizon. After common/sky.glsl. Half tiles.

uniform sampler2D cloud_cover;   // the clouds' ranks, 0..1, repeating
uniform vec2 cloud_ranks;        // from no cloud to full
uniform vec2 cloud_offset;
uniform float cloud_height;
uniform float cloud_shade;       // how dark their shadow is
uniform vec3 cloud_light;        // the sun's, up there

const float CLOUD_PERIOD = 12.0;
const float CLOUD_BEND = 90.0;

float cloud_amount(float rank) {
    float t = clamp((rank - cloud_ranks.x) / (cloud_ranks.y - cloud_ranks.x), 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

// What of the sun's light comes through the clouds to a place on the land.
float cloud_shadow(vec3 place) {
    vec2 slant = sun_direction.xz / max(sun_direction.y, 0.08);
    vec2 above = place.xz + slant * max(cloud_height - place.y, 0.0);
    float rank = textureLod(cloud_cover, above / CLOUD_PERIOD + cloud_offset, 2.0).r;
    return 1.0 - cloud_shade * cloud_amount(rank);
}

// Distance from an eye to the plane in a direction above the horizon.
float cloud_distance(float eye, float up) {
    float height = cloud_height - eye;
    float rise = CLOUD_BEND * up;
    return sqrt(rise * rise + height * (2.0 * CLOUD_BEND + height)) - rise;
}

// The sky's colour behind clouds. `glow` is haze_phase of the direction.
vec3 under_clouds(vec3 sky, vec3 eye, vec3 direction, float glow) {
    if (cloud_ranks.x >= 1.0 || direction.y <= 0.0) {
        return sky;
    }
    float distance_to = cloud_distance(eye.y, direction.y);
    vec2 place = (eye.xz + direction.xz * distance_to) / CLOUD_PERIOD + cloud_offset;
    float amount = cloud_amount(texture(cloud_cover, place).r);
    // Farther clouds are behind more air; at the horizon nothing of them is left.
    float clear = exp2(-distance_to * 0.11) * smoothstep(0.0, 0.06, direction.y);
    float cover = amount * (2.0 - amount) * clear;
    if (cover <= 0.002) {
        return sky;
    }
    // Towards the sun, a cloud's depth away: what stands between.
    vec2 toward = sun_direction.xz * (0.035 / max(sun_direction.y, 0.25));
    float before = cloud_amount(texture(cloud_cover, place + toward).r);
    float lit = 1.0 / (1.0 + 1.8 * before + 0.8 * amount);
    float rim = glow * (1.0 - amount) * (1.0 - amount);
    vec3 color = cloud_light * (0.15 + 0.75 * lit + 1.2 * rim)
        + ambient_light(vec3(0.0, 1.0, 0.0)) * (0.9 - 0.35 * amount);
    return mix(sky, color, cover);
}
