// What is painted on a pane of glass over a window. In: its colours, sRGB, times their alpha.
// Out: the same, to be blended.

uniform sampler2D glass;

out vec4 out_color;

void main() {
    out_color = texelFetch(glass, ivec2(gl_FragCoord.xy), 0);
}
