// Smooth normals from a mipmapped texture of them. After common/tile.glsl.

uniform sampler2D normals;     // x, z and y of the unit normal, -1..1 as 1/255..255/255
uniform vec4 normal_map;       // scale and offset from place in a tile to texture coordinates

// The smooth normal at a place counted in tiles. Of unit length from near; where a pixel covers
// several texels it is their mean, the shorter the rougher they are: lit by the cosine, that is
// the mean of their light, so that distant ridges are not lit as if they were level.
vec3 smooth_normal(vec2 tile, float tiles) {
    vec3 mean = tile_texel(normals, normal_map, tile, tiles).rbg;
    mean = mean * (255.0 / 127.0) - 128.0 / 127.0;
    vec2 texels = vec2(textureSize(normals, 0)) * normal_map.xy;
    float covered = max(length(dFdx(tile) * texels), length(dFdy(tile) * texels));
    return mean * mix(inversesqrt(max(dot(mean, mean), 1e-6)), 1.0, clamp(covered - 1.0, 0.0, 1.0));
}
