// What water mirrors of clouds and land. After common/tile.glsl and common/clouds.glsl. World space,
// half tiles; linear light.

uniform sampler2D mirror_color;  // the ground mirrored; 0 where there is none
uniform sampler2D mirror_depth;
uniform vec4 mirror_place;       // scale and offset from pixels of the picture
uniform vec2 mirror_depths;      // near and far plane
uniform float mirror_reach;      // farthest shift in a mirrored picture, pixels
uniform vec2 screen_right;       // x and z of the picture's right

// Clouds as rough water mirrors them: the rougher, the softer. `spread` is in radians.
vec3 mirrored_clouds(vec3 sky, vec3 place, vec3 direction, float glow, float spread) {
    float far = cloud_distance(place.y, direction.y);
    vec2 at = (place.xz + direction.xz * far) / cloud_period + cloud_offset;
    float level = clamp(log2(spread * far * 80.0), 0.0, 7.0);
    float amount = cloud_amount(textureLod(cloud_cover, at, level).r);
    float clear = exp2(-far * 0.11) * smoothstep(0.0, 0.06, direction.y);
    float thin = (1.0 - amount) * (1.0 - amount);
    vec3 color = cloud_light * (0.67 - 0.26 * amount + 1.2 * glow * thin)
        + ambient_0 * (1.5 - 0.7 * amount);
    return mix(sky, color, (1.0 - thin * thin) * clear);
}

// What part of the way to the mirrored land lies beyond the water, which is that far along the
// view; 1 where there is none.
float beyond_water(vec2 at, float water) {
    float stored = textureLod(mirror_depth, at, 0.0).r * 2.0 - 1.0;
    float range = mirror_depths.y - mirror_depths.x;
    float land = 2.0 * mirror_depths.x * mirror_depths.y
        / (mirror_depths.y + mirror_depths.x - stored * range);
    return 1.0 - clamp(water / land, 0.0, 1.0);
}

// The land mirrored at a pixel of water that is that far along the view, and how much of the pixel
// it covers: shifted by the waves, the less the nearer it is. `along` is the way of the view on the
// water, `facing` how steeply it looks down, `deviation` that of the waves' slopes.
vec4 mirrored_land(vec2 pixel, float water, vec2 slope, vec2 along, float facing, float deviation) {
    vec2 at = pixel * mirror_place.xy + mirror_place.zw;
    float part = beyond_water(at, water);
    vec2 shift = vec2(-2.0 * facing * dot(slope, screen_right), -2.0 * dot(slope, along));
    // Of rough water, what is somewhat higher, as of the sky.
    shift.y -= 1.6 * deviation;
    vec2 moved = clamp(shift * (part / pixel_angle), -mirror_reach, mirror_reach);
    at += moved * mirror_place.xy;
    // Land on this side of the water is not mirrored.
    return textureLod(mirror_color, at, 0.0) * step(1e-4, beyond_water(at, water));
}
