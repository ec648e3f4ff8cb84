// What is seen at the distances of a pixel's ground. Each pixel is lit once, or twice where an edge goes
// through it, however small the triangles are: that is what makes rich light cheap. NOTHING comes from
// Rust: it is beyond all distances, and what the buffer is cleared to.

in vec3 v_origin;
in vec3 v_ray;

#ifdef MULTISAMPLED
uniform sampler2DMS distances;
#else
uniform sampler2D distances;
#endif
uniform int samples;

const float EDGE = 0.01;         // a pixel of two distances that differ by more is lit twice

float distance_at(int index) {
    return texelFetch(distances, ivec2(gl_FragCoord.xy), index).r;
}

// To be defined by who includes this: what is seen that far away.
vec4 seen_at(float away);

// The mean of what is seen where there is ground.
vec4 seen() {
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
    vec4 color = vec4(0.0);
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
    return color / max(lit, 1.0);
#else
    return seen_at(distance_at(0));
#endif
}
