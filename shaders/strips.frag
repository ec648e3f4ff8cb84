// Lines of even width, smooth at their edges.

in vec2 v_across;
in vec4 v_color;

uniform bool invert;

out vec4 out_color;

void main() {
    float cover = clamp(v_across.y + 0.5 - abs(v_across.x), 0.0, 1.0);
    // A line narrower than a pixel is paler.
    cover *= min(2.0 * v_across.y, 1.0);
    out_color = vec4(invert ? 1.0 - v_color.rgb : v_color.rgb, v_color.a * cover);
}
