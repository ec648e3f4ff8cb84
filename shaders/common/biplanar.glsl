// Biplanar mapping (Quilez 2020): from the two of the three axes that a face looks along most, so that steep faces
// show no streaks. The third has no weight where it would take the place of one of them.

struct Facing {
    int most;
    int second;
    vec2 weights;
};

Facing facing_of(vec3 normal) {
    vec3 facing = abs(normal);
    int most = facing.x > facing.y ? (facing.x > facing.z ? 0 : 2) : (facing.y > facing.z ? 1 : 2);
    int least = facing.x < facing.y ? (facing.x < facing.z ? 0 : 2) : (facing.y < facing.z ? 1 : 2);
    int second = clamp(3 - most - least, 0, 2);
    vec2 weights = clamp((vec2(facing[most], facing[second]) - 0.5774) / 0.4226, 0.0, 1.0);
    return Facing(most, second, weights * inversesqrt(max(dot(weights, weights), 1e-6)));
}

// A place in space in the plane across an axis, and a vector of that plane in space.
vec2 across(vec3 place, int axis) {
    return axis == 0 ? place.zy : axis == 1 ? place.xz : place.xy;
}

vec3 along(vec2 vector, int axis) {
    return axis == 0 ? vec3(0.0, vector.yx) : axis == 1 ? vector.xxy * vec3(1.0, 0.0, 1.0) : vec3(vector, 0.0);
}
