// What is printed over the colours of a map: the shade of hills and, if RIVERS is defined, rivers. After
// common/rivers.glsl.

uniform bool hillshade;
#ifdef RIVERS
uniform vec3 water_color;
#endif

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

// At a place counted in tiles, of what is `side` tiles wide.
vec3 under_rivers(vec3 color, vec2 tile, float tiles, float side) {
#ifdef RIVERS
    tile = clamp(tile, 0.0, tiles);
    tile -= min(floor(tile), tiles - 1.0);
    return mix(color, water_color, river_at(tile, side / river_cell.x).part);
#else
    return color;
#endif
}
