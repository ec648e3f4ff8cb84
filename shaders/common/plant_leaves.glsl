// Colour of leaves in autumn, as landform::plants::autumn.

// Albedo of a part of a plant; `turned` is the colour of leaves that have turned, over the green of green ones, and their
// share.
vec3 leaf_color(vec3 albedo, vec4 turned) {
    float leaf = clamp(5.0 * (1.0 - max(albedo.r, albedo.b) / max(albedo.g, 1e-6)), 0.0, 1.0);
    return mix(albedo, turned.rgb * albedo.g, turned.a * leaf);
}
