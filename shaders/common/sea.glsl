// The colours of the sea of types other than `landscape`. Twin of src/maps/sea.rs.

uniform vec3 sea_shallow;
uniform vec3 sea_deep;
uniform float sea_fade;        // from the one to the other, 1 / half tiles of depth
uniform float sea_light;       // that falls on it, 0..1
uniform float sea_covers;      // how much of the ground it hides at most, 0..1
uniform vec3 coast_color;
uniform float coast_covers;
uniform float coast_width;     // pixels

vec3 sea_color(float depth) {
    return mix(sea_deep, sea_shallow, exp(-max(depth, 0.0) * sea_fade));
}

// The sea of a map and how much of a pixel it covers, by its depth and by how much that changes across the
// pixel. Its soft edge lies on the water, half a pixel from the coast, and there the line begins.
vec4 charted_sea(float depth, vec2 change) {
    float from_coast = depth / max(length(change), 1e-9);
    float line = coast_covers * clamp(coast_width + 1.0 - from_coast, 0.0, 1.0);
    vec3 color = mix(sea_color(depth), coast_color, line) * sea_light;
    return vec4(color, clamp(from_coast, 0.0, 1.0) * sea_covers);
}
