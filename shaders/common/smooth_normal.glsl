// Smooth normals from a mipmapped texture of them. After common/tile.glsl.

uniform sampler2D normals;     // x and z of the unit normal, -1..1 as 1/255..255/255
uniform vec4 normal_map;       // scale and offset from place in a tile to texture coordinates

vec3 normal_of(vec2 texel) {
    vec2 xz = texel * (255.0 / 127.0) - 128.0 / 127.0;
    return normalize(vec3(xz.x, sqrt(max(1.0 - dot(xz, xz), 0.0)), xz.y));
}

// The smooth normal at a place counted in tiles.
vec3 smooth_normal(vec2 tile, float tiles) {
    return normal_of(tile_texel(normals, normal_map, tile, tiles).rg);
}

// The same at a pixel of that size; see `tile_texel`.
vec3 smooth_normal(vec2 tile, float tiles, float size) {
    return normal_of(tile_texel(normals, normal_map, tile, tiles, size).rg);
}
