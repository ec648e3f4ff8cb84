// The ground of `triangles`, smoothly lit, from its distances. After common/hypsometric.glsl and
// common/distances.glsl and, if ANALYSIS is defined, common/beside.glsl.

#ifdef ANALYSIS
uniform ivec2 cells;
#endif

vec4 seen_at(float away) {
    vec3 world = eye + (v_beside + v_ray * away);
    vec2 tile = world.xz / tile_side + 0.5 * tiles;
    vec3 way = way_seen(v_beside, v_ray, away);
    float size = pixel_size(way);
    Surface surface = surface_at(tile, tiles, way, size);
    vec3 normal = unit_of(surface.normal);
#ifdef ANALYSIS
    mat2x3 next = beside(away, normal);
#ifdef ENDLESS
    // Triangles are as small as pixels.
    vec2 rise = rise_of(normal);
#else
    vec2 samples = max(abs(next[0].xz), abs(next[1].xz)) / tile_side * vec2(cells);
    float many = max(samples.x, samples.y);
    // As in triangles.frag.
    vec2 rise = mix(rise_in(tile, tiles, cells), rise_of(normal), smoothstep(0.7, 1.5, many));
    // Lines go by triangles that are large, and are calmer by the normals of small ones.
    vec3 facet = facet_normal(tile, tiles, cells);
    next = beside(away, normalize(mix(facet, normal, smoothstep(0.15, 0.3, many))));
#endif
    Place at = Place(world, tile, next, rise);
#else
    Place at = Place(world, tile);
#endif
    return vec4(hypsometric(at, normal, surface.seen, size), 1.0);
}

void main() {
    finish(seen().rgb);
    out_color *= ground_part();
}
