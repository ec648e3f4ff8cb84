// How much of a pixel shows ground or its sides, as a depth: all, some or none. COVERED and PARTLY come
// from Rust. After common/layers.glsl.

void main() {
    vec3 parts = layers_here().parts;
    float part = parts.x + parts.y + parts.z;
    gl_FragDepth = part > 0.999 ? COVERED : part > 0.0 ? PARTLY : 1.0;
}
