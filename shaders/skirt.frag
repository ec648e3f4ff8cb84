// The cut through the ground at its border: earth, darker with depth. In: world space.

in vec3 v_world;
flat in vec3 v_normal;

uniform vec3 eye;
uniform float base;
uniform vec2 fog;              // distance where it begins, 1 / length
uniform vec3 fog_color;

void main() {
    // A muted tone of the palette, so that the cut belongs to the ground above it.
    vec3 tone = texture(palette, 0.55).rgb;
    vec3 earth = mix(vec3(dot(tone, vec3(0.3, 0.6, 0.1))), tone, 0.5);
    float height = clamp((v_world.y - base) * height_range.y, 0.0, 1.0);
    vec3 color = lit(earth, v_normal) * mix(0.6, 1.0, height);
    float thickness = clamp((distance(v_world, eye) - fog.x) * fog.y, 0.0, 1.0);
    finish(mix(color, fog_color, thickness));
}
