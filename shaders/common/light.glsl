// Colour by height, and the light on it.

uniform sampler1D palette;     // lowest height to highest, sRGB
uniform vec2 height_range;     // lowest height, 1 / (highest - lowest) or 0
uniform sampler2D normals;     // x and z of the unit normal, each 0..1 for -1..1
uniform vec4 normal_map;       // scale and offset from place in a tile to texture coordinates
uniform bool wraps;
uniform vec3 light_direction;  // unit, towards the light
uniform float ambient;

vec3 palette_color(float height) {
    return texture(palette, clamp((height - height_range.x) * height_range.y, 0.0, 1.0)).rgb;
}

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

vec3 lit(vec3 color, vec3 normal) {
    return color * (ambient + (1.0 - ambient) * max(dot(normal, light_direction), 0.0));
}
