// A map's normals as a texture. In: common/normal.glsl.
// Out: x and z of the unit normal, -1..1 as 1/255..255/255, and its y, 0..1: averaged by mipmaps,
// the three say by their length how much normals vary. Last how much of the ground snow hides.

uniform int thinning;      // texels of the height map for one of the normal map

uniform sampler2D snow_cover;      // a texel a sample, or one

out vec4 out_normal;

void main() {
    ivec2 texel = min(ivec2(gl_FragCoord.xy) * thinning, cells);
    vec3 normal = map_normal(texel, thinning);
    float snow = texelFetch(snow_cover, min(texel, textureSize(snow_cover, 0) - 1), 0).r;
    out_normal = vec4(normal.xz * (127.0 / 255.0) + 128.0 / 255.0, normal.y, snow);
}
