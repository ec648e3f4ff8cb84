// The whole picture, at the far end of all depths; rays through its pixels. Distances along the view.

in vec2 corner;       // in clip space

uniform vec3 eye;
uniform vec3 forward;
uniform vec3 right;   // from the middle of the picture to its side, at distance 1
uniform vec3 up;
uniform vec2 jitter;
uniform bool parallel;

out vec3 v_origin;
out vec3 v_ray;

void main() {
    vec2 place = corner - jitter;
    vec3 off = right * place.x + up * place.y;
    v_origin = parallel ? eye + off : eye;
    v_ray = parallel ? forward : forward + off;
    gl_Position = vec4(corner, 1.0, 1.0);
}
