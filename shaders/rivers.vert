// The squares of a picture that have water, as landscape.vert: those where all of it is far away, if
// DISTANT is defined, or else all others. After common/pixel_rays.glsl. RIVER_SQUARE comes from Rust:
// the side of a square in pixels.

in vec2 corner;               // of the square, -1..1

uniform sampler2D squares;    // 1 where there is water near by, 0.5 where far away, the first square first
uniform ivec2 first_square;   // counted from the corner of the whole picture
uniform int columns;          // of squares
uniform vec2 picture;         // pixels of the whole picture

out vec3 v_beside;   // where rays begin, from the eye
out vec3 v_ray;

void main() {
    ivec2 square = ivec2(gl_InstanceID % columns, gl_InstanceID / columns);
    vec2 pixel = (vec2(first_square + square) + corner * 0.5 + 0.5) * RIVER_SQUARE;
    vec2 place = pixel / picture * 2.0 - 1.0;
    v_beside = ray_beside(place);
    v_ray = ray_through(place);
    float water = texelFetch(squares, square, 0).r;
#ifdef DISTANT
    bool is_drawn = water > 0.0 && water < 0.75;
#else
    bool is_drawn = water > 0.75;
#endif
    // Others are nowhere.
    gl_Position = is_drawn ? vec4(place, 1.0, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}
