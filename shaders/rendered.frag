// The ground under its baked texture, in fog. The texture has the light in it already.

in vec3 v_world;
in vec2 v_tile;

uniform sampler2D teximage;    // one tile, row 0 north
uniform vec3 eye;
uniform vec2 fog;              // distance where it begins, 1 / length; half tiles
uniform vec3 fog_color;

void main() {
    // Half a mipmap sharper than usual: the fog hides the shimmer that it costs.
    vec3 color = texture(teximage, v_tile, -0.5).rgb;
    float thickness = clamp((distance(v_world, eye) - fog.x) * fog.y, 0.0, 1.0);
    finish(mix(color, fog_color, thickness));
}
