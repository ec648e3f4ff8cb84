// A stem with a cap at either end, as error bars have.

in vec2 v_corner;

uniform vec3 color;

void main() {
    float stem = 1.0 - smoothstep(0.15, 0.35, abs(v_corner.x));
    float from_end = (1.0 - abs(v_corner.y)) / fwidth(v_corner.y);
    float cap = 1.0 - smoothstep(1.5, 2.5, from_end);
    finish(color);
    out_color.a = 0.6 * max(stem, cap);
}
