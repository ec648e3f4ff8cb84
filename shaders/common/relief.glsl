// The ground's rise eastwards and southwards, weighted over all eight neighbours (Horn 1981): the
// same as in src/maps/relief.rs. After common/tile.glsl.

uniform sampler2D heights;     // one texel a sample, row 0 north
uniform ivec2 cells;
uniform float spacing;         // half tiles between texels

// Beyond a free border the ground goes straight on.
float height_along(int x, int z) {
    int inside = clamp(x, 0, cells.x);
    float border = texelFetch(heights, ivec2(inside, z), 0).r;
    return x == inside ? border
        : 2.0 * border - texelFetch(heights, ivec2(2 * inside - x, z), 0).r;
}

float height_beyond(ivec2 at) {
    if (wraps) {
        return texelFetch(heights, (at + cells) % max(cells, 1), 0).r;
    }
    int inside = clamp(at.y, 0, cells.y);
    float border = height_along(at.x, inside);
    return at.y == inside ? border : 2.0 * border - height_along(at.x, 2 * inside - at.y);
}

float at_texel(ivec2 at) {
    return texelFetch(heights, at, 0).r;
}

// At a texel.
vec2 rise_at(ivec2 at) {
    float nw, n, ne, w, e, sw, s, se;
    if (all(greaterThan(at, ivec2(0))) && all(lessThan(at, cells))) {
        nw = at_texel(at + ivec2(-1, -1));
        n = at_texel(at + ivec2(0, -1));
        ne = at_texel(at + ivec2(1, -1));
        w = at_texel(at + ivec2(-1, 0));
        e = at_texel(at + ivec2(1, 0));
        sw = at_texel(at + ivec2(-1, 1));
        s = at_texel(at + ivec2(0, 1));
        se = at_texel(at + ivec2(1, 1));
    } else {
        nw = height_beyond(at + ivec2(-1, -1));
        n = height_beyond(at + ivec2(0, -1));
        ne = height_beyond(at + ivec2(1, -1));
        w = height_beyond(at + ivec2(-1, 0));
        e = height_beyond(at + ivec2(1, 0));
        sw = height_beyond(at + ivec2(-1, 1));
        s = height_beyond(at + ivec2(0, 1));
        se = height_beyond(at + ivec2(1, 1));
    }
    return vec2((ne - nw) + (se - sw) + 2.0 * (e - w), (sw - nw) + (se - ne) + 2.0 * (s - n))
        / (8.0 * spacing);
}

// Between texels, in proportion; `at` counts texels from the first.
vec2 rise_between(vec2 at) {
    ivec2 first = clamp(ivec2(floor(at)), ivec2(0), max(cells - 1, 0));
    vec2 t = at - vec2(first);
    vec2 north = mix(rise_at(first), rise_at(first + ivec2(1, 0)), t.x);
    vec2 south = mix(rise_at(first + ivec2(0, 1)), rise_at(first + ivec2(1, 1)), t.x);
    return mix(north, south, t.y);
}

// Counted in texels from the first: a place counted in tiles.
vec2 texel_of(vec2 tile, float tiles) {
    tile = clamp(tile, 0.0, tiles);
    tile -= min(floor(tile), tiles - 1.0);
    return tile * vec2(cells);
}
