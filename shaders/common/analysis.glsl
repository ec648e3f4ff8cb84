// Colours by slope and aspect.

uniform sampler2D rises;          // eastwards and southwards, one texel a sample, row 0 north
uniform int ground_color;         // 0 by height, 1 by slope, 2 by aspect
uniform sampler1D slope_colors;   // level to `steepest`
uniform sampler1D aspect_colors;  // clockwise from north, repeating
uniform float steepest;           // degrees
uniform vec3 level_color;

const float DEGREES = 57.29578;
// Slopes between which the hue of a direction comes in: what is nearly level falls nowhere.
const vec2 FALLS = vec2(1.0, 12.0);

// The place of a sample's texel in the middle of which it lies: a place counted in tiles.
vec2 texel_of(vec2 tile, float tiles, ivec2 cells) {
    tile = clamp(tile, 0.0, tiles);
    tile -= min(floor(tile), tiles - 1.0);
    return (tile * vec2(cells) + 0.5) / vec2(cells + 1);
}

// The rise at a place counted in tiles.
vec2 rise_in(vec2 tile, float tiles, ivec2 cells) {
    return texture(rises, texel_of(tile, tiles, cells)).rg;
}

// That of ground with a unit normal.
vec2 rise_of(vec3 normal) {
    return -normal.xz / max(normal.y, 1e-3);
}

vec3 analysed_color(vec3 by_height, vec2 rise) {
    if (ground_color == 0) {
        return by_height;
    }
    float slope = atan(length(rise)) * DEGREES;
    if (ground_color == 1) {
        float texels = float(textureSize(slope_colors, 0));
        float at = clamp(slope / steepest, 0.0, 1.0);
        return texture(slope_colors, (at * (texels - 1.0) + 0.5) / texels).rgb;
    }
    if (rise == vec2(0.0)) {
        return level_color;
    }
    // Downhill: to the east where it rises to the west, to the north where it rises to the south.
    float turn = atan(-rise.x, rise.y) * (DEGREES / 360.0);
    vec3 hue = texture(aspect_colors, turn + 0.5 / float(textureSize(aspect_colors, 0))).rgb;
    return mix(level_color, hue, smoothstep(FALLS.x, FALLS.y, slope));
}
