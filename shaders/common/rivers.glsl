// Rivers and lakes at any place, finer than the samples, as landform::rivers::part. In: places in a
// tile, 0..1. RIVERS_NEAREST comes from Rust.

uniform sampler2D river_nearest;   // way to the middle of the nearest river, its direction * half its width
uniform sampler2D river_lakes;     // depth, half tiles; below 0 beside lakes
uniform sampler2D river_part;      // of a cell that is water, and whether any is near; with mipmaps
uniform float river_reach;         // cells that 1 of river_nearest stands for
uniform vec2 river_cell;           // of a tile's side, that a cell covers

struct River {
    float part;          // of the pixel that is water
    float depth;         // of a lake, half tiles; below 0 beside lakes
    float away;          // from the middle of a river, cells
    float half_width;    // of that river, cells; 0 without one
    vec2 stream;         // where it flows, a unit vector
};

// The part of a span of that size around a place that lies between the banks.
float between_banks(float away, float half_width, float side) {
    // From the place, not from the middle: a span may be much smaller than how far it is from there.
    float covered = min(0.5 * side, half_width - away) - max(-0.5 * side, -half_width - away);
    return clamp(covered / side, 0.0, 1.0);
}

// What is at a place; `side` is that of a pixel in cells.
River river_at(vec2 tile, float side) {
    ivec2 last = textureSize(river_nearest, 0) - 1;
    vec2 place = clamp(tile / river_cell, vec2(0.0), vec2(last));
    ivec2 first = min(ivec2(place), max(last - 1, 0));
    vec2 within = place - vec2(first);
    float sum = 0.0;
    float away = 0.0;
    float half_width = 0.0;
    vec2 stream = vec2(0.0);
    vec4 deep;
    for (int i = 0; i < 4; i++) {
        ivec2 more = ivec2(i & 1, i >> 1);
        ivec2 at = min(first + more, last);
        vec2 off = within - vec2(more);
        vec2 weights = 1.0 - abs(off);
        deep[i] = texelFetch(river_lakes, at, 0).r;
        vec4 near = texelFetch(river_nearest, at, 0) * river_reach;
        float wide = length(near.zw);
        vec2 way = off - near.xy;
        float counts = wide > 0.0 ? weights.x * weights.y / (dot(way, way) + RIVERS_NEAREST) : 0.0;
        sum += counts;
        away += counts * abs(way.x * near.w - way.y * near.z) / max(wide, 1e-6);
        half_width += counts * wide;
        stream += counts * near.zw / max(wide, 1e-6);
    }
    float known = 1.0 / max(sum, 1e-9);
    float north = mix(deep.x, deep.y, within.x);
    float south = mix(deep.z, deep.w, within.x);
    float depth = mix(north, south, within.y);
    vec2 rise = vec2(mix(deep.y - deep.x, deep.w - deep.z, within.y), south - north);
    float lake = clamp(0.5 + depth / max(length(rise) * side, 1e-9), 0.0, 1.0);
    away = sum > 0.0 ? away * known : 1e3;
    half_width *= known;
    float part = max(lake, between_banks(away, half_width, side));
    return River(part, depth, away, half_width, stream / max(length(stream), 1e-6));
}

// The part of the cells around a place that is water, for a pixel of `side` cells or more.
float rivers_around(vec2 tile, float side) {
    vec2 texel = (tile / river_cell + 0.5) / vec2(textureSize(river_part, 0));
    return textureLod(river_part, texel, log2(side)).r;
}

// Whether there is water in a pixel of `side` cells or right beside it.
bool rivers_near(vec2 tile, float side) {
    int level = int(max(log2(side) + 0.5, 0.0));
    return texelFetch(river_part, ivec2(tile / river_cell) >> level, level).g > 0.0;
}
