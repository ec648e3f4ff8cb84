// The ground's rise eastwards and southwards, weighted over all eight neighbours (Horn 1981): the
// same as in src/maps/relief.rs.

uniform sampler2D heights;     // one texel a sample, row 0 north
uniform ivec2 cells;
uniform float spacing;         // half tiles between texels
uniform bool wraps;

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

// At a texel.
vec2 rise_at(ivec2 at) {
    float nw = height_beyond(at + ivec2(-1, -1));
    float n = height_beyond(at + ivec2(0, -1));
    float ne = height_beyond(at + ivec2(1, -1));
    float w = height_beyond(at + ivec2(-1, 0));
    float e = height_beyond(at + ivec2(1, 0));
    float sw = height_beyond(at + ivec2(-1, 1));
    float s = height_beyond(at + ivec2(0, 1));
    float se = height_beyond(at + ivec2(1, 1));
    return vec2((ne - nw) + (se - sw) + 2.0 * (e - w), (sw - nw) + (se - ne) + 2.0 * (s - n))
        / (8.0 * spacing);
}
