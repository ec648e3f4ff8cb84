// The ground from straight above, lit and coloured: the texture of `rendered`.
//
// The mesh may be coarser than the map (a texel is never smaller than half a cell), so height
// and normal come from the map itself. In: place in the tile, 0..1.

in vec3 v_world;
in vec2 v_tile;

uniform sampler2D heights;
uniform ivec2 cells;

void main() {
    vec2 place = v_tile * vec2(cells);
    ivec2 cell = clamp(ivec2(place), ivec2(0), max(cells - 1, 0));
    vec2 within = place - vec2(cell);
    ivec2 next = min(cell + 1, cells);
    float north = mix(texelFetch(heights, cell, 0).r,
                      texelFetch(heights, ivec2(next.x, cell.y), 0).r, within.x);
    float south = mix(texelFetch(heights, ivec2(cell.x, next.y), 0).r,
                      texelFetch(heights, next, 0).r, within.x);
    finish(lit(palette_color(mix(north, south, within.y)), smooth_normal(v_tile, 1.0)));
}
