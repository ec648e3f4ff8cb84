// A mask or a watershed over ground that is drawn already, in space or seen flat. In: common/mask.glsl.

in vec2 v_tile;

uniform float tiles;

void main() {
    // Places go on over the borders of tiles, so there is no seam in their change.
    float across = max(length(dFdx(v_tile)), length(dFdy(v_tile)));
    finish_mask(mask_cover(v_tile, tiles, log2(max(across * tile_side.x, 1e-9))));
}
