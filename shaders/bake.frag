// The ground from straight above, lit and coloured: the texture of `rendered`.
//
// The mesh may be coarser than the map (texels are never larger than a cell), so height and
// normal come from the map itself. In: place in the tile, 0..1.

in vec2 v_tile;

#ifdef RIVERS
uniform vec3 water_color;
uniform float texel;         // of the tile's side
#endif

void main() {
    vec2 place = v_tile * vec2(cells);
    ivec2 at = clamp(ivec2(place), ivec2(0), max(cells - 1, 0));
    ivec2 next = min(at + 1, cells);
    vec2 within = place - vec2(at);
    ivec2 east = ivec2(next.x, at.y);
    ivec2 south = ivec2(at.x, next.y);
    float height = mix(mix(height_at(at), height_at(east), within.x),
                       mix(height_at(south), height_at(next), within.x), within.y);
    vec3 normal = mix(mix(map_normal(at, 1), map_normal(east, 1), within.x),
                      mix(map_normal(south, 1), map_normal(next, 1), within.x), within.y);
    vec3 color = under_covers(palette_color(height), covers_at(v_tile, 1.0, -30.0));
    color = under_crowns(color, v_tile, 1.0, -30.0);
    color = lit(color, normalize(normal));
#ifdef RIVERS
    vec3 water = lit(water_color, vec3(0.0, 1.0, 0.0));
    color = mix(color, water, river_at(v_tile, texel / river_cell.x).part);
#endif
    finish(color);
}
