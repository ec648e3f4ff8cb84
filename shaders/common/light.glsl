// Colour by height, and the light on it.

uniform sampler1D palette;     // lowest height to highest, sRGB
uniform vec2 height_range;     // lowest height, 1 / (highest - lowest) or 0
uniform vec3 light_direction;  // unit, towards the light
uniform float ambient;

vec3 palette_color(float height) {
    return texture(palette, clamp((height - height_range.x) * height_range.y, 0.0, 1.0)).rgb;
}

// Under parts of the sun and of the sky, 0..1.
vec3 lit(vec3 color, vec3 normal, float sun, float sky) {
    float direct = max(dot(normal, light_direction), 0.0);
    return color * (ambient * sky + (1.0 - ambient) * direct * sun);
}

vec3 lit(vec3 color, vec3 normal) {
    return lit(color, normal, 1.0, 1.0);
}
