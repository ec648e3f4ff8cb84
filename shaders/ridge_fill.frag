// The area below a ridge: its colour, fading towards the bottom of the picture.

in vec2 v_clip;
in float v_depth;

uniform vec3 fill_top;
uniform vec3 fill_bottom;

void main() {
    finish(mix(fill_bottom, fill_top, clamp(v_clip.y * 0.5 + 0.5, 0.0, 1.0)));
}
