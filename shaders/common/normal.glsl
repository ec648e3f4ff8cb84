// Normals of a height map from central differences that wrap if the map does, else one-sided
// at the border: N ~ (h(x-1) - h(x+1), 2 dx, h(z-1) - h(z+1)). World space.

uniform sampler2D heights;     // one texel a sample, row 0 north
uniform ivec2 cells;
uniform float spacing;         // half tiles between texels
uniform bool wraps;

float height_at(ivec2 texel) {
    // Not a remainder, which is slow: texels are at most one map beyond.
    ivec2 round = texel + cells * (ivec2(lessThan(texel, ivec2(0))) - ivec2(greaterThanEqual(texel, cells)));
    texel = clamp(wraps ? round : texel, ivec2(0), cells);
    return texelFetch(heights, texel, 0).r;
}

// The unit normal at a texel, from the texels `reach` away.
vec3 map_normal(ivec2 at, int reach) {
    ivec2 x = ivec2(reach, 0);
    ivec2 z = ivec2(0, reach);
    vec2 fall = vec2(height_at(at - x) - height_at(at + x), height_at(at - z) - height_at(at + z));
    if (!wraps) {
        fall *= 1.0 + vec2(lessThan(at, ivec2(reach))) + vec2(greaterThan(at + reach, cells));
    }
    return normalize(vec3(fall.x, 2.0 * spacing * float(reach), fall.y));
}
