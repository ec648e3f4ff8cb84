// The sea over ground in space: a block of water from the floor of the tiles to the level, found by
// each pixel's ray (slab method). Where the ground is comes from the depth buffer, or, if LAYERED is defined,
// from common/layers.glsl. Half tiles, told from the eye. After common/sea.glsl.

in vec3 v_beside;
in vec3 v_ray;

uniform bool parallel;
uniform vec3 sea_low;          // corners of the block
uniform vec3 sea_high;
uniform bool charted;          // as on a map, else as water that mirrors a little of the sky
uniform float sea_murk;        // how fast the ground vanishes below it, 1 / half tiles of depth
uniform vec3 sea_sky;
uniform vec2 fog;              // distance where it begins, 1 / length
uniform vec3 fog_color;
uniform sampler2D heights;     // mixed
uniform ivec2 cells;
uniform vec2 tile_side;
uniform float tiles;
uniform vec3 eye;
#ifndef LAYERED
uniform mat4 clip_from_world;
#endif

// Part of the sky that is mirrored at most, and how much the water hides however shallow it is. Both come in
// over the first depths, so that its edge is soft.
const float MIRRORED = 0.7;
const float VEIL = 0.5;
const float SHORE = 0.12;

// Water over ground so deep, entered at that distance: its colour, and how much it hides.
vec4 water(float depth, float start, bool by_top) {
    float cosine = abs(v_ray.y) / length(v_ray);
    float mirrored = by_top ? MIRRORED * (0.02 + 0.98 * pow(1.0 - cosine, 5.0)) : 0.0;
    float off_shore = smoothstep(0.0, SHORE, depth * sea_murk);
    mirrored *= off_shore;
    float hidden = 1.0 - (1.0 - VEIL * off_shore) * exp(-depth * sea_murk);
    float alpha = 1.0 - (1.0 - hidden) * (1.0 - mirrored);
    vec3 color = mix(sea_color(depth) * sea_light, sea_sky, mirrored / max(alpha, 1e-6));
    float thickness = clamp((start * length(v_ray) - fog.x) * fog.y, 0.0, 1.0);
    return vec4(mix(color, fog_color, thickness), alpha * sea_covers);
}

// How deep the map's ground lies below a place told from the eye.
float depth_below(vec3 place) {
    vec2 tile = clamp((eye + place).xz / tile_side + 0.5 * tiles, 0.0, tiles);
    tile -= min(floor(tile), tiles - 1.0);
    float height = texture(heights, (tile * vec2(cells) + 0.5) / vec2(cells + 1)).r;
    return sea_high.y - (height - eye.y);
}

void main() {
    vec3 ray = mix(v_ray, vec3(1e-9), lessThan(abs(v_ray), vec3(1e-9)));
    vec3 to_low = (sea_low - v_beside) / ray;
    vec3 to_high = (sea_high - v_beside) / ray;
    vec3 enters = min(to_low, to_high);
    vec3 leaves = max(to_low, to_high);
    float start = max(max(enters.x, enters.z), max(enters.y, parallel ? -NOTHING : 0.0));
    float end = min(min(leaves.x, leaves.z), leaves.y);
    bool by_top = start == enters.y && ray.y < 0.0;

    // Reciprocals of distances change evenly across a picture, so they tell how much of a pixel is water.
    float room = 1.0 / max(start, 1e-6) - 1.0 / max(end, 1e-6);
    float part = clamp(room / max(fwidth(room), 1e-9), 0.0, 1.0);
    part = parallel ? step(start, end) : end > 0.0 ? part : 0.0;

    // Where a ray leaves the block, the water is as deep as at that border, and nothing shines through.
    vec4 none = vec4(water(depth_below(v_beside + ray * end), start, by_top).rgb, 1.0);

#ifdef LAYERED
    Layers here = layers_here();
    vec2 last = min(here.away, vec2(end));
    vec2 depth = max(sea_high.y - v_beside.y - ray.y * last, 0.0);
    vec4 near = water(depth.x, start, by_top);
    vec4 far = water(depth.y, start, by_top);
    vec3 parts = vec3(here.parts.xy * step(vec2(start), last), 0.0);
    // Between tiles and their surroundings a ray from straight above passes no water.
    float taken = here.parts.x + here.parts.y + here.parts.z;
    parts.z = parallel ? 0.0 : max(part - taken, 0.0);
    vec3 weights = parts * vec3(near.a, far.a, none.a);
    float alpha = weights.x + weights.y + weights.z;
    vec3 color = (near.rgb * weights.x + far.rgb * weights.y + none.rgb * weights.z) / max(alpha, 1e-6);
    float shown_depth = sea_high.y - v_beside.y - ray.y * here.away.x;
    part = here.parts.x + here.parts.y;
#else
    vec3 place = v_beside + ray * start;
    float shown_depth = depth_below(place);
    // What is seen of the ground lies further along the ray, or there is none.
    float depth = max(shown_depth, 0.0);
    float last = start;
    for (int i = 0; i < 3; i++) {
        last = start + max(depth - sea_high.y + place.y, 0.0) / max(-ray.y, 1e-3);
        depth = mix(depth, max(depth_below(v_beside + ray * min(last, end)), 0.0), 0.5);
    }
    vec4 seen = last > end ? none : water(depth, start, by_top);
    vec3 color = seen.rgb;
    float alpha = seen.a * part;
    // A little behind the sides of the ground, which are in the same planes.
    vec4 clip = clip_from_world * vec4(eye + v_beside + ray * (start + 1e-4 * abs(start)), 1.0);
    gl_FragDepth = clamp(clip.z / clip.w * 0.5 + 0.5, 0.0, 0.9999998);
#endif
    vec4 sea = charted_sea(shown_depth, vec2(dFdx(shown_depth), dFdy(shown_depth)));
    finish(charted ? sea.rgb : color);
    out_color.a = charted ? sea.a * part : alpha;
}
