// The map seen flat, coloured by height, slope or aspect, perhaps shaded. As map.frag, each
// sample is the middle of its texel, and up to 8 x 8 of them are averaged.

in vec2 v_tile;

uniform sampler2D heights;     // filtered as the scene says, like `rises`
uniform ivec2 cells;
uniform float tiles;
uniform sampler1D palette;
uniform vec2 height_range;     // lowest height, 1 / (highest - lowest) or 0

// `side` is that of what is asked for, in tiles.
vec3 color_at(vec2 tile, float side) {
    vec2 texel = texel_of(tile, tiles, cells);
    vec2 rise = texture(rises, texel).rg;
    float height = texture(heights, texel).r;
    float place = clamp((height - height_range.x) * height_range.y, 0.0, 1.0);
    vec3 by_height = under_covers(texture(palette, place).rgb, covers_at(tile, tiles, log2(side)));
    by_height = under_crowns(by_height, tile, tiles, log2(side));
    vec3 color = analysed_color(by_height, rise);
    color = hillshade ? shaded(color, rise) : color;
    return under_rivers(color, tile, tiles, side);
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
