// Depth layers from the distances of drawn ground, as render::raycast makes them of rays.
// If MULTISAMPLED is defined there are several samples a pixel. NOTHING, where there is no ground, and EDGE
// come from Rust: two grounds whose distances differ by more than that part are two layers.

#ifdef MULTISAMPLED
uniform sampler2DMS distances;
#else
uniform sampler2D distances;
#endif
uniform int samples;

out vec4 out_layers;

float distance_at(int index) {
    return texelFetch(distances, ivec2(gl_FragCoord.xy), index).r;
}

// In 255ths of the pixel.
uint part_of(float count) {
    return uint(count * 255.0 / float(samples) + 0.5);
}

void main() {
    float nearest = NOTHING;
    float farthest = -NOTHING;
    float sides = 0.0;
    for (int i = 0; i < samples; i++) {
        float away = distance_at(i);
        nearest = min(nearest, away);
        farthest = away < NOTHING ? max(farthest, away) : farthest;
        sides += away > NOTHING ? 1.0 : 0.0;
    }
    // One ground is where the mean of its samples is. At an edge samples are in two groups, near and far, each
    // where its nearest sample is: between them there may be a valley that nobody sees.
    bool is_edge = farthest - nearest > EDGE * abs(nearest);
    float between = is_edge ? 0.5 * (nearest + farthest) : farthest;
    float behind = NOTHING;
    float near = 0.0;
    float far = 0.0;
    float sum = 0.0;
    for (int i = 0; i < samples; i++) {
        float away = distance_at(i);
        bool is_near = away <= between;
        bool is_far = away < NOTHING && !is_near;
        near += is_near ? 1.0 : 0.0;
        sum += is_near ? away : 0.0;
        far += is_far ? 1.0 : 0.0;
        behind = is_far ? min(behind, away) : behind;
    }
    float away = is_edge ? nearest : near > 0.0 ? sum / near : NOTHING;
    uint first = part_of(near);
    uint second = part_of(near + far);
    uint all = part_of(near + far + sides);
    out_layers = vec4(away, behind, float(first | (second - first) << 8 | (all - second) << 16), 0.0);
}
