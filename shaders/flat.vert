// A flat picture of the tiles, centred. In: corners, -1..1.

in vec2 corner;

uniform vec2 rectangle;        // part of the picture that the tiles fill along x and y
uniform vec2 shift;            // of the whole picture, in clip space
uniform float tiles;

out vec2 v_tile;               // 0..tiles along x (east) and z (south)

void main() {
    v_tile = (vec2(corner.x, -corner.y) * 0.5 + 0.5) * tiles;
    gl_Position = vec4(corner * rectangle + shift, 0.0, 1.0);
}
