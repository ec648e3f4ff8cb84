// A mask over the ground: a colour as strong as its weights, through which the land is still seen.
// After common/output.glsl and common/tile.glsl.

uniform sampler2D mask;        // weights of one tile, row 0 north
uniform vec4 mask_place;       // scale and offset from place in a tile to texture coordinates
uniform bool glows;            // whether the brighter of colour and picture is seen, else a mixture

const vec3 MASK_COLOR = vec3(1.0, 0.0, 0.72);
const float MASK_COVERS = 0.5;

// How much the colour covers, 0..1, at a place counted in tiles, for a pixel of that size.
float mask_cover(vec2 tile, float tiles, float size) {
    return MASK_COVERS * tile_texel(mask, mask_place, tile, tiles, size).r;
}

void finish_mask(float cover) {
    finish(MASK_COLOR * (glows ? cover : 1.0));
    out_color.a = cover;
}
