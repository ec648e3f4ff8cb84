// A round dot on every marked point. In: corners of its square, -1..1, and an instance a point.

in vec2 corner;
in vec3 place;                 // half tiles
in float fresh;                // 1 new, 0 old

uniform mat4 clip_from_world;
uniform vec2 radius;           // of a dot, in clip space

out vec2 v_corner;
out float v_fresh;

void main() {
    v_corner = corner;
    v_fresh = fresh;
    gl_Position = clip_from_world * vec4(place, 1.0);
    gl_Position.xy += corner * radius * mix(0.75, 1.0, fresh) * gl_Position.w;
}
