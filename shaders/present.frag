// A finished picture onto a window. In: the picture, sRGB. Out: the same bytes.

in vec2 v_screen;

uniform sampler2D picture;

out vec4 out_color;

void main() {
    out_color = vec4(texture(picture, v_screen).rgb, 1.0);
}
