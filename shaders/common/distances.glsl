// What is seen at the distances of a pixel's ground. Each pixel is lit once, or twice where an edge goes
// through it, however small the triangles are: that is what makes rich light cheap. After
// common/layers.glsl.

in vec3 v_beside;   // where the ray begins, from the eye: exact however near to each other rays are
in vec3 v_ray;

// To be defined by who includes this: what is seen that far away.
vec4 seen_at(float away);

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
