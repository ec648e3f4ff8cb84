// Small pictures laid over the large one: colours times alpha.

in vec2 v_texel;

uniform sampler2D sheet;
uniform bool invert;

out vec4 out_color;

void main() {
    vec4 color = texture(sheet, v_texel);
    out_color = vec4(invert ? color.a - color.rgb : color.rgb, color.a);
}
