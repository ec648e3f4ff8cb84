// Wind waves by fetch, as landform::shading::fetch. Half tiles. OPEN_FETCH, the longest fetch in half tiles, comes from
// Rust.

uniform sampler2D fetch_map;     // square root of the fetch, 1 for the longest
uniform float wave_saturation;   // height of waves at the longest fetch, relative to that root
uniform float wave_height;       // significant height of waves at the longest fetch

// Height of the waves at a place counted in tiles, 1 for the longest fetch.
float wave_growth(vec2 tile, float tiles) {
    vec2 inside = clamp(tile, 0.0, tiles);
    float root = textureLod(fetch_map, inside - min(floor(inside), tiles - 1.0), 0.0).r;
    float beyond = length((tile - inside) * tile_side);
    return min(sqrt(root * root + beyond / OPEN_FETCH) * wave_saturation, 1.0);
}
