// The ground as lit triangles, coloured by height. In: world space, half tiles. After
// common/hypsometric.glsl.

in vec3 v_world;
in vec2 v_tile;

uniform bool flat_shading;
#ifdef ANALYSIS
uniform ivec2 cells;
#endif

void main() {
    float size = pixel_size(v_world - eye);
    vec3 smoothed = smooth_normal(v_tile, tiles, size);
    vec3 normal = smoothed;
    vec2 seen = visibility_at(v_tile, tiles, size);
    if (flat_shading) {
        normal = normalize(cross(dFdy(v_world), dFdx(v_world)));
        normal = normal.y < 0.0 ? -normal : normal;
    }
#ifdef ANALYSIS
    mat2x3 beside = mat2x3(dFdx(v_world), dFdy(v_world));
    // Exact near by; where many samples make a pixel, that of the normal map's mean.
    vec2 samples = max(abs(dFdx(v_tile)), abs(dFdy(v_tile))) * vec2(cells);
    vec2 rise = mix(rise_in(v_tile, tiles, cells), rise_of(smoothed),
        smoothstep(0.7, 1.5, max(samples.x, samples.y)));
    finish(hypsometric(Place(v_world, v_tile, beside, rise), normal, seen, size));
#else
    finish(hypsometric(Place(v_world, v_tile), normal, seen, size));
#endif
}
