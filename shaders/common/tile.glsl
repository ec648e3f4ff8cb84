// Textures that cover a tile.

uniform bool wraps;
uniform vec2 tile_side;        // half tiles
uniform float pixel_angle;     // radians a pixel

uniform vec2 counted_away;

// The way to what is seen that far along a ray which begins beside the eye: seen in parallel, as if from about
// as far away as the picture is wide, however high or low the ground is.
vec3 way_seen(vec3 beside, vec3 ray, float away) {
    return beside + ray * clamp(away, counted_away.x, counted_away.y);
}

// Size of a pixel on the ground that way from the eye, in half tiles, as a power of two; between its width and its
// length, which is larger the flatter one looks.
float pixel_size(vec3 way) {
    float away = length(way);
    float facing = max(abs(way.y) / away, 0.12);
    return log2(away * pixel_angle * inversesqrt(facing));
}

// The level of a mipmapped texture of a tile that has texels as large as a pixel of that size.
float tile_level(sampler2D map, vec4 map_place, float size) {
    return size + log2(float(textureSize(map, 0).x) * map_place.x / tile_side.x);
}

// The mipmapped texel at a place counted in tiles, for a pixel of that size; `map_place` is scale
// and offset from a place in a tile to texture coordinates. Tiles that wrap are one endless
// texture; others end at their border.
vec4 tile_texel(sampler2D map, vec4 map_place, vec2 tile, float tiles, float size) {
    if (!wraps) {
        tile = clamp(tile, 0.0, tiles);
        tile -= min(floor(tile), tiles - 1.0);
    }
    float level = tile_level(map, map_place, size);
    return textureLod(map, tile * map_place.xy + map_place.zw, level);
}
