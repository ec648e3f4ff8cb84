// A map's rise eastwards and southwards as a texture of its samples. In: common/relief.glsl.

out vec4 out_rise;

void main() {
    out_rise = vec4(rise_at(ivec2(gl_FragCoord.xy)), 0.0, 1.0);
}
