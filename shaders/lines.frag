// The edges of the ground's cells. In: common/depth_fade.glsl. DEEP: in a window around the eye those
// that the next coarser one has not come in with their level.

in vec3 v_world;

#ifdef DEEP

in vec2 v_tile;
in float v_own;

// Cells between lines that are told apart.
const float APART = 0.02;

void main() {
    vec2 away = abs(fract(0.5 * v_tile - 0.5) - 0.5) * 2.0;
    float drawn = min(away.x, away.y) < APART ? 1.0 : v_own;
    finish(faded(v_world) * drawn);
    out_color.a = drawn;
}

#else

void main() {
    finish(faded(v_world));
}

#endif
