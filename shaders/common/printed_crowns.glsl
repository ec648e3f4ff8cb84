// Colours of plants on maps, as landform::canopy::under_crowns. After common/covers.glsl.

uniform sampler2D canopy;          // share of the ground under the crowns of four layers, the lowest first
uniform vec4 canopy_place;         // scale and offset from place in a tile to texture coordinates
uniform float canopy_texels;       // across a tile, as a power of two
uniform mat4 crown_colors;
uniform int crown_layers;          // 0 without plants

// A colour under crowns at a place counted in tiles, for a pixel of that side in tiles, as a power of two.
vec3 under_crowns(vec3 color, vec2 tile, float tiles, float side) {
    // A loop: without plants drivers in software do none of it.
    for (int i = 0; i < crown_layers; i++) {
        float share = weights_at(canopy, canopy_place, canopy_texels, tile, tiles, side)[i];
        color = mix(color, crown_colors[i].rgb, share);
    }
    return color;
}
