// The whole viewport. In: corners in clip space, -1..1.

in vec2 corner;

out vec2 v_screen;    // 0..1 from the bottom left

void main() {
    v_screen = corner * 0.5 + 0.5;
    gl_Position = vec4(corner, 0.0, 1.0);
}
