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

// The mirrored picture at a place, without land on this side of the water: each of its pixels on its own, so that none
// leaves an outline. From top to bottom it is softer than across, since its edges have no antialiasing and even calm water
// blurs what it mirrors along the view.
vec4 land_beyond(vec2 at, float water) {
    ivec2 last = textureSize(mirror_color, 0) - 1;
    vec2 place = at * vec2(last + 1) - 0.5;
    ivec2 first = ivec2(floor(place));
    vec2 part = place - vec2(first);
    vec4 rows = vec4(1.0 - part.y, 2.0 - part.y, 1.0 + part.y, part.y) / 4.0;
    vec4 land = vec4(0.0);
    for (int i = 0; i < 8; i++) {
        ivec2 next = ivec2(i & 1, (i >> 1) - 1);
        ivec2 pixel = clamp(first + next, ivec2(0), last);
        vec2 weight = vec2(next.x == 0 ? 1.0 - part.x : part.x, rows[i >> 1]);
        vec2 middle = (vec2(pixel) + 0.5) / vec2(last + 1);
        float beyond = step(1e-4, beyond_water(middle, water));
        land += weight.x * weight.y * beyond * texelFetch(mirror_color, pixel, 0);
    }
    return land;
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
    return land_beyond(at, water);
}
