// The ground under its baked texture, in fog. The texture has the light in it already.

uniform sampler2D teximage;    // one tile, row 0 north
uniform vec3 eye;
uniform vec2 fog;              // distance where it begins, 1 / length; half tiles
uniform vec3 fog_color;

// At a place on the ground, counted in tiles too; `beside` is the way from there, in tiles, to what
// the next pixels show.
vec3 textured(vec3 world, vec2 tile, mat2 beside) {
    // Half a mipmap sharper than usual: the fog hides the shimmer that it costs.
    beside *= inversesqrt(2.0);
    vec3 color = textureGrad(teximage, tile, beside[0], beside[1]).rgb;
    float thickness = clamp((distance(world, eye) - fog.x) * fog.y, 0.0, 1.0);
    return mix(color, fog_color, thickness);
}
