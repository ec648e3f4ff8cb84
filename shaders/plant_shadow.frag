// Silhouettes of plants: how much of the light they take, in alpha.

in vec2 v_place;
flat in vec2 v_look;

uniform sampler2D plant_colors;

out vec4 out_color;

void main() {
    out_color = vec4(0.0, 0.0, 0.0, textureLod(plant_colors, v_place, v_look.x).a * v_look.y);
}
