// Rays through the pixels of a picture: where each begins and where it goes, at places in clip space.

uniform vec3 eye;
uniform vec3 forward;
uniform vec3 right;   // from the middle of the picture to its side, at distance 1
uniform vec3 up;
uniform vec2 jitter;
uniform bool parallel;

vec3 ray_off(vec2 corner) {
    vec2 place = corner - jitter;
    return right * place.x + up * place.y;
}

// Where a ray begins, from the eye.
vec3 ray_beside(vec2 corner) {
    return parallel ? ray_off(corner) : vec3(0.0);
}

vec3 ray_through(vec2 corner) {
    return parallel ? forward : forward + ray_off(corner);
}
