// How far away the ground is that a pixel shows: the four bytes of the number, lowest first.

in vec3 v_world;      // half tiles

uniform vec3 eye;

out vec4 out_bytes;

void main() {
    uint bits = floatBitsToUint(distance(v_world, eye));
    uvec4 bytes = (uvec4(bits) >> uvec4(0u, 8u, 16u, 24u)) & 255u;
    out_bytes = vec4(bytes) / 255.0;
}
