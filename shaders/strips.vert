// Lines of even width. In: pixels of the whole picture, y down.

in vec2 place;
in vec2 normal;       // to the edge; longer at corners
in vec2 across;       // pixels to the edge drawn, signed; half the line's width
in vec4 color;        // sRGB and alpha
in vec2 shift;        // of the instance

uniform vec2 picture;
uniform vec2 jitter;  // of the whole picture, in clip space

out vec2 v_across;
out vec4 v_color;

void main() {
    vec2 pixel = place + shift + normal * across.x;
    v_across = across;
    v_color = color;
    gl_Position = vec4(vec2(2.0, -2.0) * pixel / picture + vec2(-1.0, 1.0) + jitter, 0.0, 1.0);
}
