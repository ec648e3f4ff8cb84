// Contours and the cross-section on ground in space, of even width in pixels.
// After common/analysis.glsl.

uniform bool contours;
uniform float contours_per_unit;  // contours on a half tile of height
uniform float line_width;         // pixels of a light contour
uniform bool has_section;
uniform vec4 section;             // A and B, in tiles
uniform vec3 section_color;

float line_cover(float pixels_away, float width) {
    return clamp(0.5 * width + 0.5 - pixels_away, 0.0, 1.0) * min(width, 1.0);
}

// How much of a line at every whole number of `at` there is here; lines that come too near to
// each other fade away. `beside` is by how much `at` changes to the next pixels.
float line_at(float at, vec2 beside, float width) {
    float slope = length(beside);
    if (slope == 0.0) {
        return 0.0;
    }
    float away = abs(fract(at - 0.5) - 0.5) / slope;
    return line_cover(away, width) * (1.0 - smoothstep(0.12, 0.33, slope * width));
}

// Colour of lines on ground of this colour, with alpha: a darker tone of the ground, or a lighter one on dark
// ground.
vec4 contour_ink(vec3 ground) {
    float light = dot(ground, vec3(0.3, 0.6, 0.1));
#ifdef MAP
    // As in plan view, where src/render/analysis/contours.rs draws the lines.
    if (ground_color != 0) {
        return vec4(0.10, 0.09, 0.12, 0.8);
    }
    vec3 dark = mix(ground, vec3(0.20, 0.11, 0.04), 0.74);
    return vec4(mix(mix(ground, vec3(1.0), 0.62), dark, step(0.24, light)), 1.0);
#else
    return vec4(mix(mix(ground, vec3(1.0), 0.6), ground * 0.25, smoothstep(0.10, 0.18, light)), 1.0);
#endif
}

// `up` is how much higher the next pixels are, to the right and above.
vec3 with_contours(vec3 color, vec4 ink, float height, vec2 up) {
    float at = height * contours_per_unit;
    up *= contours_per_unit;
    float fine = 0.73 * line_at(at, up, line_width);
    float heavy = line_at(at * 0.2, up * 0.2, line_width * 1.85);
    return mix(color, ink.rgb, ink.a * max(fine, heavy));
}

// `beside` is the way on the level to what the next pixels show, to the right and above.
vec3 with_section(vec3 color, vec2 tile, mat2 beside) {
    vec2 a = section.xy * tile_side;
    vec2 along = section.zw * tile_side - a;
    vec2 here = tile * tile_side;
    vec2 off = here - a - along * clamp(dot(here - a, along) / dot(along, along), 0.0, 1.0);
    float away = length(off);
    vec2 toward = off / max(away, 1e-9);
    float slope = length(toward * beside);
    float pixels = away / max(slope, 1e-9);
    color = mix(color, vec3(1.0), 0.85 * line_cover(pixels, line_width * 5.0));
    return mix(color, section_color, line_cover(pixels, line_width * 2.6));
}
