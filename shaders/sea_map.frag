// The sea over tiles seen flat. As in map.frag each sample is the middle of its texel, and up to 8 x 8 of
// them are averaged.

in vec2 v_tile;

uniform sampler2D heights;
uniform ivec2 cells;
uniform float tiles;
uniform float sea_level;       // half tiles

float depth_at(vec2 tile) {
    tile = clamp(tile, 0.0, tiles);
    tile -= min(floor(tile), tiles - 1.0);
    return sea_level - texture(heights, (tile * vec2(cells) + 0.5) / vec2(cells + 1)).r;
}

void main() {
    vec2 pixel = vec2(length(dFdx(v_tile)), length(dFdy(v_tile)));
    // Along each side two at least, or nothing tells how the depth changes.
    ivec2 count = clamp(ivec2(ceil(pixel * vec2(cells))), 2, 8);
    vec3 sums = vec3(0.0);
    for (int j = 0; j < count.y; j++) {
        for (int i = 0; i < count.x; i++) {
            vec2 off = (vec2(i, j) + 0.5) / vec2(count) - 0.5;
            sums += depth_at(v_tile + pixel * off) * vec3(1.0, off);
        }
    }
    sums /= float(count.x * count.y);
    // The plane that is nearest to all samples. Neighbouring pixels would tell the slope of squares of two by
    // two, which would differ from tile to tile.
    vec2 squares = vec2(count * count);
    vec4 sea = charted_sea(sums.x, sums.yz * 12.0 * squares / (squares - 1.0));
    finish(sea.rgb);
    out_color.a = sea.a;
}
