// Places of pixels among rivers. After common/tile.glsl and common/rivers.glsl.

uniform float tiles;

// The place in its tile, 0..1.
vec2 place_of(vec3 world) {
    vec2 tile = clamp(world.xz / tile_side + 0.5 * tiles, 0.0, tiles);
    return tile - min(floor(tile), tiles - 1.0);
}

// The side of a pixel of that size, in cells.
float side_in_cells(float size) {
    return exp2(size) / (tile_side.x * river_cell.x);
}
