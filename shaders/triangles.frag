// The ground as lit triangles, coloured by height. In: world space, half tiles.

in vec3 v_world;
in vec2 v_tile;

uniform vec3 eye;
uniform float tiles;
uniform bool flat_shading;
#ifdef ANALYSIS
uniform ivec2 cells;
#endif

void main() {
    float size = pixel_size(v_world, eye);
    vec3 normal = flat_shading
        ? normalize(cross(dFdy(v_world), dFdx(v_world)))
        : smooth_normal(v_tile, tiles, size);
    if (flat_shading && normal.y < 0.0) {
        normal = -normal;
    }
    vec2 seen = visibility_at(v_tile, tiles, size);
    float side = log2(length(max(abs(dFdx(v_tile)), abs(dFdy(v_tile)))));
    vec3 color = under_covers(palette_color(v_world.y), covers_at(v_tile, tiles, side));
#ifdef ANALYSIS
    // Exact near by; where many samples make a pixel, that of the normal map's mean.
    vec2 samples = max(abs(dFdx(v_tile)), abs(dFdy(v_tile))) * vec2(cells);
    vec3 mean = smooth_normal(v_tile, tiles, size);
    vec2 rise = mix(texture(rises, texel_of(v_tile, tiles, cells)).rg, -mean.xz / max(mean.y, 1e-3),
        smoothstep(0.7, 1.5, max(samples.x, samples.y)));
    color = analysed_color(color, rise);
    color = lit(contours ? with_contours(color, v_world.y) : color, normal, seen.x, seen.y);
    finish(has_section ? with_section(color, v_tile) : color);
#else
    finish(lit(color, normal, seen.x, seen.y));
#endif
}
