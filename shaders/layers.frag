// How much of a pixel shows ground or its sides, as a depth: all, some or none. COVERED and PARTLY come
// from Rust. After common/layers.glsl. If CANOPY is defined, none where finished plants hide all that is behind them, so
// that no ground is lit there.

#ifdef CANOPY
uniform sampler2D plants;
#endif

void main() {
    vec3 parts = layers_here().parts;
    float part = parts.x + parts.y + parts.z;
#ifdef CANOPY
    part *= 1.0 - floor(texelFetch(plants, ivec2(gl_FragCoord.xy), 0).a);
#endif
    gl_FragDepth = part > 0.999 ? COVERED : part > 0.0 ? PARTLY : 1.0;
}
