// The sky with its sun or moon and, where they are defined, CLOUDS and STARS. What changes slowly
// comes from the vertices. Drivers in software run both sides of a branch, so there are none.

in vec3 v_direction;
in vec3 v_air;
in vec3 v_haze;
in float v_land;
in vec3 v_clear;
in vec3 v_fog;

uniform vec3 eye;
uniform vec3 disc_light;         // of the sun or moon
uniform vec2 disc;               // cosines of its outer and inner edge
#ifdef STARS
uniform float stars;             // how well they are seen

// Stars: at most one in a cell of a cube around the eye, where the sphere crosses it.
vec3 starlight(vec3 direction) {
    const float CELLS = 48.0;
    vec3 cell = floor(direction * CELLS);
    uvec3 q = uvec3(ivec3(cell) + 64);
    uint h = (q.x * 73856093u) ^ (q.y * 19349663u) ^ (q.z * 83492791u);
    h = (h ^ (h >> 15)) * 2246822519u;
    h = (h ^ (h >> 13)) * 3266489917u;
    h ^= h >> 16;
    vec3 jitter = vec3(h & 255u, (h >> 8) & 255u, (h >> 16) & 255u) / 255.0;
    float rank = float(h >> 24) / 255.0;
    vec3 star = cell + 0.2 + 0.6 * jitter;
    if (abs(length(star) - CELLS) > 0.3) {
        return vec3(0.0);
    }
    vec3 off = direction - normalize(star);
    float size = 0.0011;
    float spot = clamp(1.0 - dot(off, off) / (size * size), 0.0, 1.0);
    float magnitude = rank * rank * rank;
    vec3 tint = mix(vec3(1.0, 0.82, 0.65), vec3(0.7, 0.85, 1.0), jitter.x);
    return tint * (spot * spot * (0.05 + 1.6 * magnitude * magnitude));
}
#endif

void main() {
    vec3 direction = normalize(v_direction);
    float cosine = sun_cosine(direction);
    float glow = haze_phase(cosine);
    vec3 color = v_air + v_haze * glow;
#ifdef STARS
    color += starlight(direction) * (stars * smoothstep(0.0, 0.25, direction.y));
#endif
    color += disc_light * (smoothstep(disc.x, disc.y, cosine) * step(0.0, direction.y));
#ifdef CLOUDS
    color = under_clouds(color, eye, direction, glow);
#endif
    color = mix(v_fog, mix(color, below_horizon, v_land), v_clear);
    finish(dithered(tonemap(color)));
}
