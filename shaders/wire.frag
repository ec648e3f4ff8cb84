// The edges of the ground's cells on its faces: of all cells where they are large enough in the
// picture, else of every second, fourth …, the finer ones fading out. Paler with distance.

in vec3 v_world;
in vec2 v_tile;

uniform ivec2 cells;           // of a tile
uniform vec3 eye;
uniform vec2 depth_fade;       // distance of the nearest point, 1 / depth of the ground
uniform vec3 near_color;
uniform vec3 far_color;

// Least distance of lines in pixels.
const float SPACING = 5.0;

// How much of a line there is at a place, for lines `spacing` apart and a pixel of that width.
float line(vec2 place, vec2 width, float spacing) {
    vec2 away = abs(fract(place / spacing - 0.5) - 0.5) * spacing / width;
    vec2 covered = clamp(1.25 - away, 0.0, 1.0);
    return max(covered.x, covered.y);
}

void main() {
    vec2 place = v_tile * vec2(cells);
    vec2 width = max(fwidth(place), 1e-6);
    float level = max(log2(SPACING * max(width.x, width.y)), 0.0);
    float fine = exp2(floor(level));
    float drawn = max(line(place, width, fine) * (1.0 - fract(level)), line(place, width, 2.0 * fine));
    float t = clamp((distance(v_world, eye) - depth_fade.x) * depth_fade.y, 0.0, 1.0);
    finish(mix(near_color, far_color, t) * drawn);
    // Between lines there is nothing.
    out_color.a = drawn;
}
