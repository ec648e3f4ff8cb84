// Smooth normals from a mipmapped texture of them, and how much they vary. After common/tile.glsl.

uniform sampler2D normals;     // r, g: x and z of the unit normal, -1..1 as 1/255..255/255; b: y
uniform vec4 normal_map;       // scale and offset from place in a tile to texture coordinates

// The mean normal around a place counted in tiles. It is shorter than 1 where normals vary within
// the pixel: light that is linear in the normal takes it as it is and neither shimmers nor goes flat
// with distance; 1 - its length squared is the variance of the normals.
vec3 mean_normal(vec2 tile, float tiles) {
    vec3 xzy = tile_texel(normals, normal_map, tile, tiles).rgb;
    vec2 xz = xzy.xy * (255.0 / 127.0) - 128.0 / 127.0;
    return vec3(xz.x, xzy.z, xz.y);
}

// The smooth normal at a place counted in tiles.
vec3 smooth_normal(vec2 tile, float tiles) {
    vec2 xz = tile_texel(normals, normal_map, tile, tiles).rg;
    xz = xz * (255.0 / 127.0) - 128.0 / 127.0;
    return normalize(vec3(xz.x, sqrt(max(1.0 - dot(xz, xz), 0.0)), xz.y));
}
