// An upright bar as long as the range of a pass. In: corners of its square, -1..1, and an
// instance a bar.

in vec2 corner;
in vec3 place;                 // its middle, half tiles
in float reach;                // from the middle to either end, half tiles

uniform mat4 clip_from_world;
uniform vec2 pixel;            // of a picture of 720 rows, in clip space

out vec2 v_corner;

void main() {
    v_corner = corner;
    vec3 end = place + vec3(0.0, corner.y * reach, 0.0);
    gl_Position = clip_from_world * vec4(end, 1.0);
    // A stem of three pixels; at either end the fragment shader keeps a wider cap.
    gl_Position.x += corner.x * 5.0 * pixel.x * gl_Position.w;
}
