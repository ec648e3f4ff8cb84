// The sea behind a ridge line: it is seen wherever the ridge is lower. Heights in half tiles.

in vec2 v_screen;

uniform vec2 height_fit;       // clip space = height * x + y
uniform float sea_level;
uniform float rows;            // of the picture

// How much lighter the line along the level is than shallow water, and how much the water covers.
const float LIT = 0.45;
const float COVERS = 0.8;

void main() {
    float depth = sea_level - ((v_screen.y * 2.0 - 1.0) - height_fit.y) / height_fit.x;
    float below = depth * height_fit.x * 0.5 * rows;   // pixels
    float line = clamp(coast_width + 0.5 - below, 0.0, 1.0);
    finish(mix(sea_color(depth), mix(sea_shallow, vec3(1.0), LIT), line));
    out_color.a = clamp(below + 0.5, 0.0, 1.0) * mix(COVERS, 1.0, line);
}
