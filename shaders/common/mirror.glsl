// What water mirrors of the land. After common/tile.glsl. World space, half tiles; linear light.

uniform sampler2D mirror_color;  // the ground mirrored; 0 where there is none
uniform sampler2D mirror_depth;
uniform vec4 mirror_place;       // scale and offset from pixels of the picture
uniform vec2 mirror_depths;      // near and far plane
uniform float mirror_reach;      // farthest shift in a mirrored picture, pixels
uniform vec2 screen_right;       // x and z of the picture's right

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
    // Land on this side of the water is not mirrored, nor any of the four texels between which the colour lies.
    vec2 half_texel = 0.5 / vec2(textureSize(mirror_depth, 0));
    float beyond = min(
        min(beyond_water(at - half_texel, water), beyond_water(at + half_texel, water)),
        min(beyond_water(at + vec2(-half_texel.x, half_texel.y), water), beyond_water(at + vec2(half_texel.x, -half_texel.y), water)));
    return textureLod(mirror_color, at, 0.0) * step(1e-4, beyond);
}
