// What is seen at the distances of a pixel's ground. Each pixel is lit once, or twice where an edge goes
// through it, however small the triangles are: that is what makes rich light cheap. NOTHING comes
// from Rust, beyond all distances, and what the buffer is cleared to; and EDGE: two grounds whose distances
// differ by more than that part are lit each. After common/layers.glsl, which is asked unless the distances
// are PLAIN or MULTISAMPLED.

in vec3 v_beside;   // where the ray begins, from the eye: exact however near to each other rays are
in vec3 v_ray;

// To be defined by who includes this: what is seen that far away.
vec4 seen_at(float away);

#if !defined(PLAIN) && !defined(MULTISAMPLED)

// The mean of what is seen where there is ground.
vec4 seen() {
    Layers here = layers_here();
    vec4 color = vec4(0.0);
    float away = here.away.x;
    float part = here.parts.x;
    // A loop, because drivers in software do both sides of an `if`; left at its end, because they do
    // what comes after a condition that nobody meets any more.
    for (;;) {
        color += part > 0.0 ? part * seen_at(away) : vec4(0.0);
        part = away < here.away.y ? here.parts.y : 0.0;
        away = here.away.y;
        if (part <= 0.0) {
            break;
        }
    }
    return color / max(here.parts.x + here.parts.y, 1e-3);
}

// How much of the pixel that is, if no other buffer tells.
float ground_part() {
    Layers here = layers_here();
    return here.parts.x + here.parts.y;
}

#else

#ifdef MULTISAMPLED
uniform sampler2DMS distances;
#else
uniform sampler2D distances;
#endif
uniform int samples;

float distance_at(int index) {
    return texelFetch(distances, ivec2(gl_FragCoord.xy), index).r;
}

vec4 seen() {
#ifdef MULTISAMPLED
    float nearest = NOTHING;
    float farthest = -NOTHING;
    float sum = 0.0;
    float ground = 0.0;
    for (int i = 0; i < samples; i++) {
        float away = distance_at(i);
        bool is_ground = away < NOTHING;
        nearest = min(nearest, away);
        farthest = max(farthest, is_ground ? away : -NOTHING);
        sum += is_ground ? away : 0.0;
        ground += is_ground ? 1.0 : 0.0;
    }
    // One ground is lit at the mean of its samples, as planes::mix has it. At an edge samples are in two
    // groups, near and far, each lit where its nearest sample is: between them there may be a valley that
    // nobody sees.
    bool is_edge = farthest - nearest > EDGE * abs(nearest);
    float between = is_edge ? 0.5 * (nearest + farthest) : farthest;
    float away = is_edge ? nearest : sum / max(ground, 1.0);
    bool is_near = true;
    vec4 color = vec4(0.0);
    float lit = 0.0;
    // A loop, as above.
    for (;;) {
        float behind = NOTHING;
        float count = 0.0;
        for (int i = 0; i < samples; i++) {
            float other = distance_at(i);
            bool is_beyond = other > between;
            count += other < NOTHING && is_beyond != is_near ? 1.0 : 0.0;
            behind = is_beyond ? min(behind, other) : behind;
        }
        color += count > 0.0 ? count * seen_at(away) : vec4(0.0);
        lit += count;
        away = is_edge && is_near ? behind : NOTHING;
        is_near = false;
        if (away >= NOTHING) {
            break;
        }
    }
    return color / max(lit, 1.0);
#else
    return seen_at(distance_at(0));
#endif
}

float ground_part() {
    return 1.0;
}

#endif
