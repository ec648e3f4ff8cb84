// What lies on the ground where water has worked, as landform::covers.

uniform sampler2D covers;      // weights of four covers of one tile, row 0 north
uniform vec4 cover_place;      // scale and offset from place in a tile to texture coordinates
uniform float cover_texels;    // across a tile, as a power of two
uniform mat4 cover_colors;     // of each: its colour, and how much it hides

// The weights at a place counted in tiles, for a pixel of that side in tiles, as a power of two.
vec4 covers_at(vec2 tile, float tiles, float side) {
    tile = clamp(tile, 0.0, tiles);
    tile -= min(floor(tile), tiles - 1.0);
    return textureLod(covers, tile * cover_place.xy + cover_place.zw, side + cover_texels);
}

// A colour under covers of these weights.
vec3 under_covers(vec3 color, vec4 weights) {
    for (int i = 0; i < 4; i++) {
        color = mix(color, cover_colors[i].rgb, weights[i] * cover_colors[i].a);
    }
    return color;
}
