// The height map seen flat, low to high along the palette.
//
// Each sample is the middle of its texel; the first and the last lie on the tile's border.
// Where texels are smaller than pixels, up to 8 x 8 of them are averaged.

in vec2 v_tile;

uniform sampler2D heights;     // filtered as the scene says
uniform ivec2 cells;
uniform float tiles;
uniform sampler1D palette;
uniform vec2 height_range;     // lowest height, 1 / (highest - lowest) or 0

// `side` is that of what is asked for, in tiles.
vec3 color_at(vec2 tile, float side) {
    tile = clamp(tile, 0.0, tiles);
    tile -= min(floor(tile), tiles - 1.0);
    vec2 texel = (tile * vec2(cells) + 0.5) / vec2(cells + 1);
    float height = texture(heights, texel).r;
    float place = clamp((height - height_range.x) * height_range.y, 0.0, 1.0);
    vec3 color = under_covers(texture(palette, place).rgb, covers_at(tile, 1.0, log2(side)));
    color = under_crowns(color, tile, 1.0, log2(side));
    return under_rivers(color, tile, 1.0, side);
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
