// A round dot on every marked point. In: corners of its square, -1..1, and an instance a point.

in vec2 corner;
in vec3 place;                 // half tiles
in vec3 color;                 // sRGB
in float size;                 // 1 is the full radius

uniform mat4 clip_from_world;
uniform vec2 radius;           // of a dot, in clip space

out vec2 v_corner;
out vec3 v_color;

void main() {
    v_corner = corner;
    v_color = color;
    gl_Position = clip_from_world * vec4(place, 1.0);
    gl_Position.xy += corner * radius * size * gl_Position.w;
}
