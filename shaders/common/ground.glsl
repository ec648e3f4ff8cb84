// The ground's vertices: a patch of 33 x 33 samples (or fewer), placed by its instance.
//
// Samples are counted over all tiles along x and z; a sample beyond the last one is the last.
// World space: x east, y up, z south, in half tiles, the tiles centred on the origin.

in uvec2 corner;      // of the patch: 0..32
in ivec3 node;        // first sample along x and z, cells from sample to sample

uniform sampler2D heights;     // one texel a sample, row 0 north
uniform ivec2 last_sample;
uniform vec3 eye;
uniform float eye_above;       // the highest point, or below the lowest
uniform vec2 morph_range;      // distances where sliding begins and ends, at stride 1

#ifndef DEEP

uniform ivec2 period;          // samples from tile to tile
uniform vec2 cell_fraction;    // of a tile's side, that a cell covers
uniform vec2 tile_side;        // half tiles
uniform float tiles;

struct Sample {
    vec3 world;
    vec2 tile;        // 0..tiles along x and z
};

Sample ground_sample(ivec2 index) {
    index = min(index, last_sample);
    ivec2 tile_index = index / period;
    ivec2 texel = index - tile_index * period;
    vec2 tile = vec2(tile_index) + min(vec2(texel) * cell_fraction, 1.0);
    vec2 ground = (tile - 0.5 * tiles) * tile_side;
    return Sample(vec3(ground.x, texelFetch(heights, texel, 0).r, ground.y), tile);
}

// The vertex at 0..32 of the patch, slid towards its even neighbour as far as its distance asks. Both ends of the
// slide are exact, so that a patch and its coarser neighbour share their vertices bit for bit.
Sample ground_vertex(ivec2 at) {
    int stride = node.z;
    ivec2 index = node.xy + at * stride;
    Sample own = ground_sample(index);
    ivec2 odd = index & stride;
    float distance_to_eye = max(length(own.world.xz - eye.xz), eye_above);
    float t = clamp((distance_to_eye / float(stride) - morph_range.x)
        / (morph_range.y - morph_range.x), 0.0, 1.0);
    if (t == 0.0 || odd == ivec2(0)) {
        return own;
    }
    Sample even = ground_sample(index - odd);
    return Sample(own.world * (1.0 - t) + even.world * t, own.tile * (1.0 - t) + even.tile * t);
}

#else

// A window around the eye: src/render/ground/deep.rs. Samples are counted from its first, the world is
// told from the eye.

uniform ivec2 window_corner;      // where in `heights` it begins
uniform ivec2 eye_cell;           // the cell that the eye is above, and where in it
uniform vec2 eye_part;
uniform float cell;               // half tiles
uniform float eye_above_datum;    // the height from which the window's are told

struct Sample {
    vec3 world;
    vec2 tile;        // cells
    float own;        // 1 where it is as in the map of this level, 0 as in the one before
};

float ground_height(ivec2 index) {
    return texelFetch(heights, window_corner + clamp(index, ivec2(0), last_sample), 0).r;
}

// The vertex at 0..32 of the patch. What the next coarser window has not lies on that window's triangles
// as far as its distance asks, and stays where it is on the level: lines grow out of the ground and do not
// wander over it.
Sample ground_vertex(ivec2 at) {
    ivec2 index = min(node.xy + at, last_sample);
    vec2 ground = (vec2(index - eye_cell) - eye_part) * cell;
    float distance_to_eye = max(length(ground), eye_above);
    float t = clamp((distance_to_eye - morph_range.x) / (morph_range.y - morph_range.x), 0.0, 1.0);
    ivec2 odd = index & 1;
    float height = ground_height(index);
    if (t > 0.0 && odd != ivec2(0)) {
        float coarse = 0.5 * (ground_height(index - odd) + ground_height(index + odd));
        height = height * (1.0 - t) + coarse * t;
    }
    return Sample(vec3(ground.x, height - eye_above_datum, ground.y), vec2(index), 1.0 - t);
}

#endif
