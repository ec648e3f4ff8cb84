// What lies over the ground, through which it is still seen: a mask, a colour as strong as its
// weights, or a watershed, a colour with a line along its edge. Holes of the map are hatched.
// After common/output.glsl and common/tile.glsl.

uniform sampler2D mask;        // a byte for each sample of one tile, row 0 north
uniform vec4 mask_place;       // scale and offset from place in a tile to texture coordinates
uniform bool glows;            // whether the brighter of colour and picture is seen, else a mixture
uniform vec3 hatch;            // of holes: the piece's place in the picture and the lines' distance, pixels
uniform float edge;            // of a watershed the width of the line in pixels; of a mask 0, of holes less

// Samples without data are hatched in grey, without relief.
const vec3 HOLE_COLOR = vec3(0.74);
const vec3 HATCH_COLOR = vec3(0.36);
const float HATCH_WIDTH = 0.2; // of the lines' distance

// The colour of a hole: diagonal lines, at even distances in the whole picture.
vec3 hatched() {
    vec2 pixel = gl_FragCoord.xy + hatch.xy;
    float across = mod((pixel.x + pixel.y) * 0.70710678, hatch.z) - 0.5 * hatch.z;
    float line = clamp(0.5 * HATCH_WIDTH * hatch.z + 0.5 - abs(across), 0.0, 1.0);
    return mix(HOLE_COLOR, HATCH_COLOR, line);
}

const vec3 MASK_COLOR = vec3(1.0, 0.0, 0.72);
const float MASK_COVERS = 0.5;

const vec3 WATERSHED_COLOR = vec3(1.0, 0.72, 0.10);
const float WATERSHED_COVERS = 0.32;
const vec3 EDGE_COLOR = vec3(0.62, 0.13, 0.02);
const float EDGE_COVERS = 0.92;

// The widest line, in cells: farther from the edge distances are not told apart.
const float WIDEST = 12.0;

// How much of a watershed is seen, at that distance from its edge in cells, inwards, for a pixel of
// so many cells: its colour, multiplied by how much that covers, and this.
vec4 watershed_cover(float within, float cells) {
    float inside = clamp(within / cells + 0.5, 0.0, 1.0);
    float line = clamp((min(edge * cells, WIDEST) - within) / cells + 0.5, 0.0, 1.0);
    float cover = inside * mix(WATERSHED_COVERS, EDGE_COVERS, line);
    return vec4(mix(WATERSHED_COLOR, EDGE_COLOR, line) * cover, cover);
}

// What is seen at a place counted in tiles, for a pixel of that size: a colour, multiplied by how much
// it covers, and this.
vec4 mask_cover(vec2 tile, float tiles, float size) {
    float value = tile_texel(mask, mask_place, tile, tiles, size).r;
    if (edge > 0.0) {
        float cells = exp2(tile_level(mask, mask_place, size));
        return watershed_cover((value * 255.0 - 128.0) / 8.0, cells);
    }
    if (edge < 0.0) {
        return vec4(hatched() * value, value);
    }
    float cover = MASK_COVERS * value;
    return vec4(MASK_COLOR * cover, cover);
}

void finish_mask(vec4 cover) {
    finish(glows ? cover.rgb : cover.rgb / max(cover.a, 1e-6));
    out_color.a = cover.a;
}
