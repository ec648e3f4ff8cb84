// What water mirrors of the ground, without what lies between the samples. Linear light.

in vec3 v_world;
in vec2 v_tile;
in vec3 v_clear;
in vec3 v_fog;

uniform float tiles;
uniform vec3 eye;

out vec4 out_color;

void main() {
    // The mirrored picture has half as many pixels a side.
    float size = pixel_size(v_world - eye) + 1.0;
    vec4 weights = covers_at(v_tile, tiles, size - log2(tile_side.x));
    vec3 from_eye = v_world - eye;
    vec3 color = plain_ground(v_world, from_eye, v_tile, weights, plants_single(from_eye), tiles, size);
    out_color = vec4(mix(v_fog, color, v_clear), 1.0);
}
