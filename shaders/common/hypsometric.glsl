// The ground of `triangles`: lit, and coloured by height or as it is analysed; or of a map, if MAP is
// defined. After common/light.glsl, common/covers.glsl, common/printed_crowns.glsl, common/tile.glsl, common/visibility.glsl and, if
// ANALYSIS is defined, common/analysis.glsl and common/drawn_lines.glsl; for a map common/printed.glsl.

uniform vec3 eye;
uniform float tiles;

// A place on the ground: in half tiles, and counted in tiles.
struct Place {
    vec3 world;
    vec2 tile;
#ifdef ANALYSIS
    mat2x3 beside;    // to the places that the next pixels show, to the right and above
    vec2 rise;        // of the ground, eastwards and southwards
#endif
};

// Where parts `seen` of sun and sky are seen.
vec3 hypsometric(Place at, vec3 normal, vec2 seen, float size) {
    vec4 weights = covers_at(at.tile, tiles, size - log2(tile_side.x));
    vec3 by_height = palette_color(at.world.y);
    vec3 color = under_covers(by_height, weights);
    color = under_crowns(color, at.tile, tiles, size - log2(tile_side.x));
#ifdef ANALYSIS
    color = analysed_color(color, at.rise);
    vec2 up = vec2(at.beside[0].y, at.beside[1].y);
    vec3 ground = color;
#ifdef MAP
    ground = by_height;
    color = hillshade ? shaded(color, at.rise) : color;
    color = under_rivers(color, at.tile, tiles, exp2(size) / tile_side.x);
#endif
    color = contours ? with_contours(color, contour_ink(ground), at.world.y, up) : color;
#ifndef MAP
    color = lit(color, normal, seen.x, seen.y);
#endif
    mat2 beside = mat2(at.beside[0].xz, at.beside[1].xz);
    return has_section ? with_section(color, at.tile, beside) : color;
#else
    return lit(color, normal, seen.x, seen.y);
#endif
}
