// Haze that thins with height. After common/sky.glsl.

uniform vec3 haze;        // density at the height `y`, that height, 1 / height over which it thins to 1/e
const vec3 HAZE_COLORS = vec3(0.90, 1.0, 1.12);   // blue is scattered most

// What is left of the light of each colour on the way from the eye.
vec3 haze_clear(vec3 eye, vec3 world) {
    float from = max((eye.y - haze.y) * haze.z, -4.0);
    float to = max((world.y - haze.y) * haze.z, -4.0);
    float rise = to - from;
    float ends = exp(-from);
    float mean = abs(rise) < 0.01 ? ends * (1.0 - 0.5 * rise) : (ends - exp(-to)) / rise;
    return exp(-haze.x * distance(eye, world) * mean * HAZE_COLORS);
}

// The same on the way out of the haze, in a direction above the horizon: of all colours alike, since
// the sky behind has the haze's colour already.
float haze_clear_out(vec3 eye, vec3 direction) {
    float from = max((eye.y - haze.y) * haze.z, -4.0);
    return exp(-haze.x * exp(-from) / (haze.z * max(direction.y, 0.003)));
}
