// The map seen flat, coloured by height, slope or aspect, perhaps shaded. As map.frag, each
// sample is the middle of its texel, and up to 8 x 8 of them are averaged.

in vec2 v_tile;

uniform sampler2D heights;     // filtered as the scene says, like `rises`
uniform ivec2 cells;
uniform float tiles;
uniform sampler1D palette;
uniform vec2 height_range;     // lowest height, 1 / (highest - lowest) or 0
uniform bool hillshade;

// From the north-west, 45 degrees high.
const vec3 LAMP = vec3(-0.5, 0.70710678, -0.5);
// Fractals are steep close by: as on printed maps, relief is flattened before it is lit.
const float FLATTENED = 0.4;

vec3 shaded(vec3 color, vec2 rise) {
    vec3 normal = normalize(vec3(-rise.x, 1.0 / FLATTENED, -rise.y));
    // 1 on level ground.
    float light = max(dot(normal, LAMP), 0.0) / LAMP.y;
    return light < 1.0
        ? color * mix(0.38, 1.0, light)
        : mix(color, vec3(1.0), (light - 1.0) * 0.6);
}

#ifdef RIVERS
uniform vec3 water_color;
#endif

// `side` is that of what is asked for, in tiles.
vec3 color_at(vec2 tile, float side) {
    vec2 texel = texel_of(tile, tiles, cells);
    vec2 rise = texture(rises, texel).rg;
    float height = texture(heights, texel).r;
    float place = clamp((height - height_range.x) * height_range.y, 0.0, 1.0);
    vec3 by_height = under_covers(texture(palette, place).rgb, covers_at(tile, tiles, log2(side)));
    vec3 color = analysed_color(by_height, rise);
    color = hillshade ? shaded(color, rise) : color;
#ifdef RIVERS
    vec2 local = clamp(tile, 0.0, tiles);
    local -= min(floor(local), tiles - 1.0);
    color = mix(color, water_color, river_at(local, side / river_cell.x).part);
#endif
    return color;
}

void main() {
    vec2 pixel = vec2(length(dFdx(v_tile)), length(dFdy(v_tile)));
    ivec2 count = clamp(ivec2(ceil(pixel * vec2(cells))), 1, 8);
    vec3 sum = vec3(0.0);
    for (int j = 0; j < count.y; j++) {
        for (int i = 0; i < count.x; i++) {
            vec2 tile = v_tile + pixel * ((vec2(i, j) + 0.5) / vec2(count) - 0.5);
            sum += color_at(tile, pixel.x / float(count.x));
        }
    }
    finish(sum / float(count.x * count.y));
}
