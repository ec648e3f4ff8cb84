// The edges of the ground's cells on its faces: of all cells where they are large enough in the
// picture, else of every second, fourth …, the finer ones fading out. In: common/depth_fade.glsl. DEEP:
// in a window around the eye those that the next coarser one has not come in with their level.

in vec3 v_world;
in vec2 v_tile;

uniform ivec2 cells;           // of a tile

#ifdef DEEP
in float v_own;
#endif

// Least distance of lines in pixels.
const float SPACING = 5.0;

// How much of a line there is at a place, for lines `spacing` apart and a pixel of that width.
float line(vec2 place, vec2 width, float spacing) {
    vec2 away = abs(fract(place / spacing - 0.5) - 0.5) * spacing / width;
    vec2 covered = clamp(1.25 - away, 0.0, 1.0);
    return max(covered.x, covered.y);
}

void main() {
#ifdef DEEP
    vec2 place = v_tile;
#else
    vec2 place = v_tile * vec2(cells);
#endif
    vec2 width = max(fwidth(place), 1e-6);
    float level = max(log2(SPACING * max(width.x, width.y)), 0.0);
    float fine = exp2(floor(level));
    float own = 1.0 - fract(level);
#ifdef DEEP
    own *= fine < 2.0 ? v_own : 1.0;
#endif
    float drawn = max(line(place, width, fine) * own, line(place, width, 2.0 * fine));
    finish(faded(v_world) * drawn);
    // Between lines there is nothing.
    out_color.a = drawn;
}
