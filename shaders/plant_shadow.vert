// Silhouettes of plants on the ground, in a window around the eye from above.

in vec2 place;        // in clip space
in vec4 look;         // column and row in the atlas, mipmap, opacity

uniform vec2 plant_tile;

out vec2 v_place;
flat out vec2 v_look;

void main() {
    v_place = look.xy * plant_tile;
    v_look = look.zw;
    gl_Position = vec4(place, 0.0, 1.0);
}
