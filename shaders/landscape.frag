// The ground as it is photographed, from its distances. Each pixel is lit once, or twice where an edge
// goes through it, however small the triangles are: that is what makes rich light cheap. NOTHING comes from
// Rust: it is beyond all distances, and what the buffer is cleared to.

in vec3 v_origin;
in vec3 v_ray;

#ifdef MULTISAMPLED
uniform sampler2DMS distances;
#else
uniform sampler2D distances;
#endif
uniform int samples;
uniform float tiles;
uniform vec3 eye;

const float EDGE = 0.01;         // a pixel of two distances that differ by more is lit twice

float distance_at(int index) {
    return texelFetch(distances, ivec2(gl_FragCoord.xy), index).r;
}

vec3 seen_at(float away) {
    vec3 world = v_origin + v_ray * away;
    vec2 tile = world.xz / tile_side + 0.5 * tiles;
    float size = pixel_size(world, eye);
    vec3 mean = mean_normal(tile, tiles, size);
    float length_of_mean = max(length(mean), 0.2);
    Material material = material_at(world, mean / length_of_mean, size);
    vec2 seen = visibility_at(tile, tiles, size);
    float sun = seen.x * cloud_shadow(world);
    float facing = max(dot(material.normal, sun_direction), 0.0) * length_of_mean;
    vec3 light = sun_light * (facing * sun) + ambient_light(material.normal) * seen.y
        + ground_light(material.albedo, 1.0 - seen.y);
    vec3 direction = normalize(world - eye);
    vec3 color = mix(fog_color(direction), material.albedo * light, haze_clear(eye, world));
    return tonemap(color);
}

void main() {
#ifdef MULTISAMPLED
    float nearest = NOTHING;
    float farthest = -NOTHING;
    for (int i = 0; i < samples; i++) {
        float away = distance_at(i);
        nearest = min(nearest, away);
        farthest = max(farthest, away < NOTHING ? away : -NOTHING);
    }
    // Samples in two groups, near and far, each lit where its nearest sample is: between them
    // there may be a valley that nobody sees.
    float between = 0.5 * (nearest + farthest);
    float away = nearest;
    vec3 color = vec3(0.0);
    float lit = 0.0;
    // A loop, because drivers in software do both sides of an `if`.
    while (away < NOTHING) {
        float behind = NOTHING;
        float count = 0.0;
        for (int i = 0; i < samples; i++) {
            float other = distance_at(i);
            bool here = other >= away && (other <= between || away > between);
            count += here && other < NOTHING ? 1.0 : 0.0;
            behind = other > max(away, between) ? min(behind, other) : behind;
        }
        color += count * seen_at(away);
        lit += count;
        away = farthest - nearest > EDGE * abs(nearest) && away <= between ? behind : NOTHING;
    }
    finish(dithered(color / max(lit, 1.0)));
#else
    finish(dithered(seen_at(distance_at(0))));
#endif
}
