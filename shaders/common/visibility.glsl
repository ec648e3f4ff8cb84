// What the ground sees of sun and sky, 0..1, at a place counted in tiles. After common/tile.glsl.

uniform bool has_sun_map;      // else all of the sun is seen
uniform sampler2D sun_map;     // one tile, row 0 north
uniform vec4 sun_map_place;        // scale and offset from place in a tile to texture coordinates
uniform bool has_sky_map;
uniform sampler2D sky_map;
uniform vec4 sky_map_place;

float sun_visibility(vec2 tile, float tiles) {
    return has_sun_map ? tile_texel(sun_map, sun_map_place, tile, tiles).r : 1.0;
}

float sky_visibility(vec2 tile, float tiles) {
    return has_sky_map ? tile_texel(sky_map, sky_map_place, tile, tiles).r : 1.0;
}

// The same at a pixel of that size; see `tile_texel`.
float sun_visibility(vec2 tile, float tiles, float size) {
    return has_sun_map ? tile_texel(sun_map, sun_map_place, tile, tiles, size).r : 1.0;
}

float sky_visibility(vec2 tile, float tiles, float size) {
    return has_sky_map ? tile_texel(sky_map, sky_map_place, tile, tiles, size).r : 1.0;
}
