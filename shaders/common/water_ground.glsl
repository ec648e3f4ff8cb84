// The land below and around water: how deep it is, and how much of the sun it leaves. In: places
// counted in tiles. After common/tile.glsl, common/visibility.glsl and common/sky.glsl. Half tiles. SUN_WIDTH,
// in radians, comes from Rust.

uniform sampler2D ground_heights;    // one texel a sample, smooth between texels
uniform vec2 cell_fraction;          // of a tile's side, that a cell covers
uniform float tiles;
uniform float level;                 // of the water
uniform bool has_shadows;
uniform sampler2D cast_shadow;       // height of the shadow less that of the light, by line
uniform vec2 cast_shadow_place;      // scale and offset from a place aside to texture coordinates

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

// Visible share of the sun. On the tiles it is known; shadows go on beyond them, below the ridges that
// shading::light::CastShadow has for each line parallel to the light.
float water_sun(vec2 tile) {
    vec2 toward = sun_heading / tile_side;
    vec2 to_low = -tile / toward;
    vec2 to_high = (tiles - tile) / toward;
    vec2 nearest = min(to_low, to_high);
    vec2 farthest = max(to_low, to_high);
    float enter = max(max(nearest.x, nearest.y), 0.0);
    float leave = min(farthest.x, farthest.y);
    vec2 inside = clamp(tile, 0.0, tiles);
    vec2 place = inside - min(floor(inside), tiles - 1.0);
    float seen = textureLod(visibility, place * visibility_place.xy + visibility_place.zw, 1.0).r;
    vec2 from_middle = (tile - 0.5 * tiles) * tile_side;
    float aside = from_middle.y * sun_heading.x - from_middle.x * sun_heading.y;
    float line = aside * cast_shadow_place.x + cast_shadow_place.y;
    float slope = sun_direction.y / max(length(sun_direction.xz), 1e-3);
    float top = textureLod(cast_shadow, vec2(line, 0.5), 0.0).r + dot(from_middle, sun_heading) * slope;
    // Farther away the edges of shadows are softer.
    float soft = SUN_WIDTH * (1.0 + slope * slope) * (enter + 0.3);
    float beyond = smoothstep(-soft, 0.0, level - top);
    return !has_shadows || enter >= leave ? 1.0 : enter == 0.0 ? seen : beyond;
}
