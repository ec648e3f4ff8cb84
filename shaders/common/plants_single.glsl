// Share of the plants that are drawn one by one, if CANOPY is defined, else none: src/render/plants.

#ifdef CANOPY

uniform vec4 plants_all;           // distance up to which all plants of a layer of the canopy are drawn
uniform vec4 plants_last;          // and that of the last one; in parallel views minus the square of their ratio to all

// Shares of the layers that are drawn one by one that far from the eye: means of `Reach::opacity` over all ranks.
vec4 plants_single(vec3 from_eye) {
    float away = max(length(from_eye), 1e-30);
    vec4 ratio = plants_all / away;
    ratio = mix(ratio * ratio, -plants_last, lessThan(plants_last, vec4(0.0)));
    vec4 last = mix(2.0 * (plants_last / away - 1.0), vec4(1.0), lessThan(plants_last, vec4(0.0)));
    return clamp(0.67 * ratio, 0.0, 1.0) * clamp(last, 0.0, 1.0);
}

#else

vec4 plants_single(vec3 from_eye) {
    return vec4(0.0);
}

#endif
