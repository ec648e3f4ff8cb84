// Dots with a dark rim, so that they stand out from any ground.

in vec2 v_corner;
in vec3 v_color;

void main() {
    float distance_to_middle = length(v_corner);
    float pixel = fwidth(distance_to_middle);
    float inside = clamp((1.0 - distance_to_middle) / pixel + 0.5, 0.0, 1.0);
    float core = clamp((0.72 - distance_to_middle) / pixel + 0.5, 0.0, 1.0);
    finish(mix(vec3(0.08), v_color, core));
    out_color.a = inside;
}
