// Clouds in fog. In: world space, half tiles.

in vec3 v_world;

uniform sampler2D clouds;
uniform float clouds_per_unit;
uniform vec3 eye;
uniform vec2 fog;              // distance where it begins, 1 / length
uniform vec3 fog_color;

void main() {
    vec3 color = texture(clouds, v_world.xz * clouds_per_unit).rgb;
    float thickness = clamp((distance(v_world, eye) - fog.x) * fog.y, 0.0, 1.0);
    finish(mix(color, fog_color, thickness));
}
