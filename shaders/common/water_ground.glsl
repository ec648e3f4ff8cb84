// The land below and around water: how deep it is, and how much of the sun it leaves. In: places
// counted in tiles. After common/tile.glsl, common/visibility.glsl and common/sky.glsl. Half tiles.

uniform sampler2D ground_heights;    // one texel a sample, smooth between texels
uniform vec2 cell_fraction;          // of a tile's side, that a cell covers
uniform vec2 height_range;           // lowest height, 1 / (highest - lowest) or 0
uniform float tiles;
uniform float level;                 // of the water
uniform bool has_shadows;

// Height of the ground above the water, at a place on the tiles.
float ground_above(vec2 tile) {
    vec2 local = tile - min(floor(tile), tiles - 1.0);
    vec2 size = vec2(textureSize(ground_heights, 0));
    return textureLod(ground_heights, (local / cell_fraction + 0.5) / size, 0.0).r - level;
}

// Beyond the tiles the sea floor sinks.
float water_depth(vec2 tile) {
    vec2 inside = clamp(tile, 0.0, tiles);
    float beyond = length((tile - inside) * tile_side);
    return max(-ground_above(inside), 0.0) + 0.4 * beyond;
}

// How much of the sun is seen. Shadows go on beyond the tiles, as long as the land is high.
float water_sun(vec2 tile) {
    vec2 toward = sun_heading / tile_side;
    vec2 to_low = -tile / toward;
    vec2 to_high = (tiles - tile) / toward;
    vec2 nearest = min(to_low, to_high);
    vec2 farthest = max(to_low, to_high);
    float enter = max(max(nearest.x, nearest.y), 0.0);
    float leave = min(farthest.x, farthest.y);
    float slant = length(sun_direction.xz) / max(sun_direction.y, 0.02);
    vec2 border = clamp(tile + toward * enter, 0.0, tiles);
    vec2 place = border - min(floor(border), tiles - 1.0);
    float seen = textureLod(visibility, place * visibility_place.xy + visibility_place.zw, 1.0).r;
    // On the tiles that is all. Beyond, the border itself may be high.
    float high = height_range.x + 1.0 / max(height_range.y, 1e-6) - level;
    float gone = smoothstep(0.0, 0.6 * high * slant, enter);
    float cliff = max(ground_above(border), 0.0) * slant;
    float passed = clamp((enter - 0.9 * cliff) / (0.2 * cliff + 1e-4), 0.0, 1.0);
    return !has_shadows || enter >= leave ? 1.0 : enter == 0.0 ? seen : mix(seen, 1.0, gone) * passed;
}
