// The last step of every shader that makes a picture. Colours are sRGB as shown on screen.

uniform bool invert;

out vec4 out_color;

void finish(vec3 color) {
    out_color = vec4(invert ? 1.0 - color : color, 1.0);
}
