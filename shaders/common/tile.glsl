// Textures that cover a tile.

uniform bool wraps;
uniform vec2 tile_side;        // half tiles

// The mipmapped texel at a place counted in tiles; `map_place` is scale and offset from a place
// in a tile to texture coordinates. Tiles that wrap are one endless texture; others end at their
// border, where the derivatives jump but the texture must not blur.
vec4 tile_texel(sampler2D map, vec4 map_place, vec2 tile, float tiles) {
    vec2 slope_x = dFdx(tile) * map_place.xy;
    vec2 slope_y = dFdy(tile) * map_place.xy;
    if (!wraps) {
        tile = clamp(tile, 0.0, tiles);
        tile -= min(floor(tile), tiles - 1.0);
    }
    return textureGrad(map, tile * map_place.xy + map_place.zw, slope_x, slope_y);
}

// The same for shaders without derivatives; `size` is that of a pixel, in half tiles, as a power of two.
vec4 tile_texel(sampler2D map, vec4 map_place, vec2 tile, float tiles, float size) {
    if (!wraps) {
        tile = clamp(tile, 0.0, tiles);
        tile -= min(floor(tile), tiles - 1.0);
    }
    float level = size + log2(float(textureSize(map, 0).x) * map_place.x / tile_side.x);
    return textureLod(map, tile * map_place.xy + map_place.zw, level);
}
