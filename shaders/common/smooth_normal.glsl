// Smooth normals from a mipmapped texture of them.

uniform sampler2D normals;     // x and z of the unit normal, -1..1 as 1/255..255/255
uniform vec4 normal_map;       // scale and offset from place in a tile to texture coordinates
uniform bool wraps;

// The smooth normal at a place counted in tiles. Tiles that wrap are one endless texture;
// others end at their border, where the derivatives jump but the texture must not blur.
vec3 smooth_normal(vec2 tile, float tiles) {
    vec2 slope_x = dFdx(tile) * normal_map.xy;
    vec2 slope_y = dFdy(tile) * normal_map.xy;
    if (!wraps) {
        tile = clamp(tile, 0.0, tiles);
        tile -= min(floor(tile), tiles - 1.0);
    }
    vec2 xz = textureGrad(normals, tile * normal_map.xy + normal_map.zw, slope_x, slope_y).rg;
    xz = xz * (255.0 / 127.0) - 128.0 / 127.0;
    return normalize(vec3(xz.x, sqrt(max(1.0 - dot(xz, xz), 0.0)), xz.y));
}
