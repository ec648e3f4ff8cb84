// The triangles of the ground.

uniform sampler2D heights;     // one texel a sample, row 0 north

// The normal of that under a place counted in tiles: two are in a cell, joined from north-west to
// south-east.
vec3 facet_normal(vec2 tile, float tiles, ivec2 cells) {
    tile = clamp(tile, 0.0, tiles);
    vec2 place = (tile - min(floor(tile), tiles - 1.0)) * vec2(cells);
    ivec2 cell = min(ivec2(place), cells - 1);
    vec2 part = place - vec2(cell);
    bool is_south = part.y > part.x;
    float first = texelFetch(heights, cell, 0).r;
    float middle = texelFetch(heights, cell + (is_south ? ivec2(0, 1) : ivec2(1, 0)), 0).r;
    float last = texelFetch(heights, cell + 1, 0).r;
    vec2 rise = vec2(middle - first, last - middle);
    rise = (is_south ? rise.yx : rise) * vec2(cells) / tile_side;
    return normalize(vec3(-rise.x, 1.0, -rise.y));
}
