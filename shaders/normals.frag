// A map's normals as a texture. In: common/normal.glsl.
// Out: x and z of the unit normal, -1..1 as 1/255..255/255, and its y, 0..1: averaged by mipmaps,
// the three say by their length how much normals vary.

uniform int thinning;      // texels of the height map for one of the normal map

out vec4 out_normal;

void main() {
    vec3 normal = map_normal(min(ivec2(gl_FragCoord.xy) * thinning, cells), thinning);
    out_normal = vec4(normal.xz * (127.0 / 255.0) + 128.0 / 255.0, normal.y, 1.0);
}
