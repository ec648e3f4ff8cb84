// What lies on the ground where water has worked, as landform::covers.

uniform sampler2D covers;      // weights of four covers of one tile, row 0 north
uniform vec4 cover_place;      // scale and offset from place in a tile to texture coordinates
uniform float cover_texels;    // across a tile, as a power of two
uniform mat4 cover_colors;     // of each: its colour, and how much it hides

// Weights at a place counted in tiles, for a pixel of that side in tiles, as a power of two.
vec4 weights_at(sampler2D map, vec4 map_place, float texels, vec2 tile, float tiles, float side) {
    tile = clamp(tile, 0.0, tiles);
    tile -= min(floor(tile), tiles - 1.0);
    return textureLod(map, tile * map_place.xy + map_place.zw, side + texels);
}

vec4 covers_at(vec2 tile, float tiles, float side) {
    return weights_at(covers, cover_place, cover_texels, tile, tiles, side);
}

// A colour under covers of these weights.
vec3 under_covers(vec3 color, vec4 weights) {
    for (int i = 0; i < 4; i++) {
        color = mix(color, cover_colors[i].rgb, weights[i] * cover_colors[i].a);
    }
    return color;
}
