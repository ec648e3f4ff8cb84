// The cut through the ground at its border: earth, darker with depth. After common/light.glsl.

uniform vec3 eye;
uniform float base;
uniform vec2 fog;              // distance where it begins, 1 / length
uniform vec3 fog_color;

vec3 earth_at(vec3 world, vec3 normal) {
    // A muted tone of the palette, so that the cut belongs to the ground above it.
    vec3 tone = texture(palette, 0.55).rgb;
    vec3 earth = mix(vec3(dot(tone, vec3(0.3, 0.6, 0.1))), tone, 0.5);
    float height = clamp((world.y - base) * height_range.y, 0.0, 1.0);
    vec3 color = lit(earth, normal) * mix(0.6, 1.0, height);
    float thickness = clamp((distance(world, eye) - fog.x) * fog.y, 0.0, 1.0);
    return mix(color, fog_color, thickness);
}
