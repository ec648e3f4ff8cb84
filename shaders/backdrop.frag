// A quiet background: one colour above, another below.

in vec2 v_screen;

uniform vec3 top;
uniform vec3 bottom;

void main() {
    finish(mix(bottom, top, v_screen.y));
}
