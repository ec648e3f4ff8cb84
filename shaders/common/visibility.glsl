// What the ground sees of sun and sky. After common/tile.glsl.

uniform sampler2D visibility;      // of the sun, of the sky: one tile, row 0 north; 1 where all is seen
uniform vec4 visibility_place;     // scale and offset from place in a tile to texture coordinates

// Of sun and sky, 0..1, at a place counted in tiles, for a pixel of that size; see `tile_texel`.
vec2 visibility_at(vec2 tile, float tiles, float size) {
    return tile_texel(visibility, visibility_place, tile, tiles, size).rg;
}
