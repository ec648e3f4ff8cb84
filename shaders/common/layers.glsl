// Depth layers of the ground in each pixel: render::raycast::Layer.

uniform sampler2D layers;

struct Layers {
    vec2 away;     // of one ground and of another behind it, along the view
    vec3 parts;    // of the pixel that show the one, the other and the sides of the ground
};

Layers layers_here() {
    vec3 all = texelFetch(layers, ivec2(gl_FragCoord.xy), 0).rgb;
    uint word = uint(all.b);
    uvec3 parts = uvec3(word, word >> 8, word >> 16) & 255u;
    return Layers(all.rg, vec3(parts) / 255.0);
}
