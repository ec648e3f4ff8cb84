// Smooth normals from a mipmapped texture of them, and how much they vary. After common/tile.glsl. OWN_SLOPE
// and LEAST_UP come from Rust.

uniform sampler2D normals;     // x and z of the unit normal, -1..1 as 1/255..255/255; its y; how much snow hides
uniform vec4 normal_map;       // scale and offset from place in a tile to texture coordinates
uniform sampler2D material_normals;    // at a fixed scale, as landform::material::MaterialNormals
uniform vec4 material_normal_map;

// A mean normal. It is shorter than 1 where normals vary within the pixel: light that is linear in
// the normal takes it as it is and neither shimmers nor goes flat with distance.
vec3 mean_of(vec3 texel) {
    vec2 xz = texel.xy * (255.0 / 127.0) - 128.0 / 127.0;
    return vec3(xz.x, texel.z, xz.y);
}

// The mean normal at a place counted in tiles, for a pixel of that size, and how much of the ground snow hides; see
// `tile_texel`.
vec4 normal_and_snow(vec2 tile, float tiles, float size) {
    vec4 texel = tile_texel(normals, normal_map, tile, tiles, size);
    return vec4(mean_of(texel.rgb), texel.a);
}

// Snow on plants, as a share of the most that they hold, where it hides so much of the ground, as
// landform::material.
float crown_snow(float cover) {
    return smoothstep(0.15, 0.9, cover);
}

vec3 mean_normal(vec2 tile, float tiles, float size) {
    return normal_and_snow(tile, tiles, size).xyz;
}

// A mean normal as a unit vector.
vec3 unit_of(vec3 mean) {
    return normalize(vec3(mean.x, sqrt(max(1.0 - dot(mean.xz, mean.xz), 0.0)), mean.z));
}

vec3 smooth_normal(vec2 tile, float tiles, float size) {
    return unit_of(mean_normal(tile, tiles, size));
}

// The unit normal by which rock and snow lie on ground with that normal of its own, as landform::material.
vec3 lie_at(vec2 tile, float tiles, float size, vec3 own) {
    vec3 wide = unit_of(mean_of(tile_texel(material_normals, material_normal_map, tile, tiles, size).rgb));
    vec2 fall = wide.xz / max(wide.y, LEAST_UP);
    float slope = length(fall);
    vec2 along = fall / max(slope, 1e-6);
    float more = dot(own.xz, along) / max(own.y, LEAST_UP) - slope;
    slope = max(slope + OWN_SLOPE * more / (OWN_SLOPE + abs(more)), 0.0);
    return normalize(vec3(along * slope, 1.0).xzy);
}
