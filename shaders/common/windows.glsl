// Normals of the ground and what it sees of the light, around the eye finer than the map's, if ENDLESS
// is defined: src/render/clipmap. After common/smooth_normal.glsl and common/visibility.glsl. SLIDES_FROM
// comes from Rust: the part of a window's reach where it begins to fade, as a power of two.

#ifdef ENDLESS

uniform sampler2D even_windows;    // x and z of the unit normal, parts of sun and sky
uniform sampler2D odd_windows;     // of the second coarsest window, the fourth …
uniform sampler2D window_places;   // see render::clipmap::Places
uniform int window_count;
uniform float finest_window;       // half tiles from sample to sample, as a power of two
uniform float window_reach;        // cells around the eye that each window has, as a power of two
uniform float least_cell;          // side of a cell at distance 1, as a power of two
uniform float windows_are_lit;     // 1, or 0 where the map's light takes the place of theirs for a moment

vec4 window_texel(sampler2D windows, int index, vec2 way) {
    index = min(index, window_count - 1);
    vec4 eye = texelFetch(window_places, ivec2(index, 0), 0);
    vec4 slot = texelFetch(window_places, ivec2(index, 1), 0);
    vec2 cell = clamp(eye.xy + way * slot.z, vec2(0.0), eye.zw);
    return textureLod(windows, (slot.xy + cell + 0.5) / vec2(textureSize(windows, 0)), 0.0);
}

// Between two windows, counted from the finest. One of them is in either texture.
vec4 window_texel(float level, vec2 way) {
    int index = min(int(level), window_count - 1);
    bool is_even = ((window_count - index) & 1) == 1;
    vec4 even = window_texel(even_windows, is_even ? index : index + 1, way);
    vec4 odd = window_texel(odd_windows, is_even ? index + 1 : index, way);
    float part = index < window_count - 1 ? fract(level) : 0.0;
    return mix(is_even ? even : odd, is_even ? odd : even, part);
}

#endif

struct Surface {
    vec3 normal;    // its mean, see `mean_normal`
    vec2 seen;      // parts of sun and sky
    float snow;     // how much of it snow hides, as the map says
};

// The ground at a place counted in tiles, that way from the eye, for a pixel of that size.
Surface surface_at(vec2 tile, float tiles, vec3 way, float size) {
    vec4 mean = normal_and_snow(tile, tiles, size);
    Surface map = Surface(mean.xyz, visibility_at(tile, tiles, size), mean.w);
#ifdef ENDLESS
    // Cells as large as the pixel, but no smaller than those of the ground there.
    float away = log2(max(length(way), 1e-30));
    float level = max(size, away + least_cell) - finest_window;
    // Each window, a square, fades to the next coarser one before it ends.
    float aside = log2(max(max(abs(way.x), abs(way.z)), 1e-30));
    float reach = aside - window_reach - finest_window + 1.0;
    float fades = clamp((fract(reach) - 1.0 - SLIDES_FROM) / -SLIDES_FROM, 0.0, 1.0);
    level = max(max(level, floor(reach) + fades), 0.0);
    vec4 texel = window_texel(level, way.xz);
    vec2 across = texel.xy * (255.0 / 127.0) - 128.0 / 127.0;
    vec3 normal = vec3(across.x, sqrt(max(1.0 - dot(across, across), 0.0)), across.y);
    float part = clamp(level - float(window_count - 1), 0.0, 1.0);
    vec2 seen = mix(map.seen, texel.zw, windows_are_lit);
    return Surface(mix(normal, map.normal, part), mix(seen, map.seen, part), map.snow);
#else
    return map;
#endif
}
