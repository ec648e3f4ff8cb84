// The ground as it is photographed, from its distances. Each pixel is lit once, or twice where an edge
// goes through it, however small the triangles are: that is what makes rich light cheap.

in vec3 v_origin;
in vec3 v_ray;

#ifdef MULTISAMPLED
uniform sampler2DMS distances;
const int SAMPLES = 4;
#else
uniform sampler2D distances;
const int SAMPLES = 1;
#endif
uniform float tiles;
uniform vec3 eye;

const float NOTHING = 1e20;      // beyond all distances: what the buffer is cleared to

float distance_at(int index) {
    return texelFetch(distances, ivec2(gl_FragCoord.xy), index).r;
}

vec3 seen_at(float away) {
    vec3 world = v_origin + v_ray * away;
    vec2 tile = world.xz / tile_side + 0.5 * tiles;
    float size = pixel_size(world, eye);
    vec3 mean = mean_normal(tile, tiles, size);
    float length_of_mean = max(length(mean), 0.2);
    Ground ground = ground_at(world, mean / length_of_mean, size);
    float sun = sun_visibility(tile, tiles, size) * cloud_shadow(world);
    float sky = sky_visibility(tile, tiles, size);
    float facing = max(dot(ground.normal, sun_direction), 0.0) * length_of_mean;
    vec3 light = sun_light * (facing * sun) + ambient_light(ground.normal) * sky;
    vec3 direction = normalize(world - eye);
    vec3 color = mix(fog_color(direction), ground.albedo * light, haze_clear(eye, world));
    return tonemap(color);
}

void main() {
    float nearest = NOTHING;
    float farthest = -NOTHING;
    for (int i = 0; i < SAMPLES; i++) {
        float away = distance_at(i);
        nearest = min(nearest, away);
        farthest = max(farthest, away < NOTHING ? away : -NOTHING);
    }
    // Samples in two groups, near and far, each lit in its middle.
    float between = 0.5 * (nearest + farthest);
    vec2 sums = vec2(0.0);
    vec2 counts = vec2(0.0);
    for (int i = 0; i < SAMPLES; i++) {
        float away = distance_at(i);
        vec2 group = away <= between ? vec2(1.0, 0.0) : away < NOTHING ? vec2(0.0, 1.0) : vec2(0.0);
        sums += group * min(away, NOTHING);
        counts += group;
    }
    bool edge = farthest - nearest > 0.02 * abs(nearest);
    int groups = edge ? 2 : 1;
    if (!edge) {
        sums = vec2(sums.x + sums.y, 0.0);
        counts = vec2(counts.x + counts.y, 0.0);
    }
    vec3 color = vec3(0.0);
    for (int i = 0; i < groups; i++) {
        float count = i == 0 ? counts.x : counts.y;
        float sum = i == 0 ? sums.x : sums.y;
        color += count * seen_at(sum / max(count, 1.0));
    }
    finish(dithered(color / max(counts.x + counts.y, 1.0)));
}
