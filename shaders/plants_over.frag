// Finished plants, laid over the picture.

uniform sampler2D plants;

out vec4 out_color;

void main() {
    out_color = texelFetch(plants, ivec2(gl_FragCoord.xy), 0);
}
