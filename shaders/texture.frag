// A texture seen flat, tiled. Row 0 is north.

in vec2 v_tile;

uniform sampler2D image;

void main() {
    finish(texture(image, v_tile).rgb);
}
