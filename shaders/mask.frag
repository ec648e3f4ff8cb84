// A mask or a watershed over ground that is drawn already, in space or seen flat. In: common/mask.glsl.

in vec2 v_tile;

uniform float tiles;

#ifdef DEEP
// Of a window around the eye: the place of its first sample, and a cell's part of a tile.
uniform vec2 first_tile;
uniform vec2 tile_a_cell;
#endif

void main() {
    // Places go on over the borders of tiles, so there is no seam in their change.
#ifdef DEEP
    vec2 scale = tile_a_cell;
    vec2 tile = first_tile + v_tile * scale;
#else
    const vec2 scale = vec2(1.0);
    vec2 tile = v_tile;
#endif
    float across = max(length(dFdx(v_tile) * scale), length(dFdy(v_tile) * scale));
    finish_mask(mask_cover(tile, tiles, log2(max(across * tile_side.x, 1e-9))));
}
