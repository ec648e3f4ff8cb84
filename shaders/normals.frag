// Normals of a height map from central differences that wrap if the map does, else one-sided
// at the border (ALGORITHMS: N ~ (h(x-1) - h(x+1), 2 dx, h(z-1) - h(z+1))).
// Out: x and z of the unit normal, -1..1 as 1/255..255/255.

uniform sampler2D heights;
uniform ivec2 cells;
uniform int thinning;      // texels of the height map for one of the normal map
uniform float spacing;     // half tiles between texels of the height map
uniform bool wraps;

out vec4 out_normal;

ivec2 beyond(ivec2 texel) {
    return wraps ? (texel + cells) % max(cells, 1) : clamp(texel, ivec2(0), cells);
}

float height(ivec2 texel) {
    return texelFetch(heights, beyond(texel), 0).r;
}

void main() {
    ivec2 at = min(ivec2(gl_FragCoord.xy) * thinning, cells);
    ivec2 x = ivec2(thinning, 0);
    ivec2 z = ivec2(0, thinning);
    vec2 rise = vec2(height(at - x) - height(at + x), height(at - z) - height(at + z));
    vec2 one_sided = wraps ? vec2(1.0)
        : 1.0 + vec2(lessThan(at, ivec2(thinning))) + vec2(greaterThan(at + thinning, cells));
    vec3 normal = normalize(vec3(rise.x * one_sided.x, 2.0 * spacing * float(thinning),
                                 rise.y * one_sided.y));
    out_normal = vec4(normal.xz * (127.0 / 255.0) + 128.0 / 255.0, 0.0, 1.0);
}
