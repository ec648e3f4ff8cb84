// Colour of a plant, for its pixels. After common/layers.glsl, unless MIRRORED is defined.

in float v_away;               // along the view
flat in float v_opacity;
in float v_shade;
flat in vec3 v_sun;            // see common/plant_light.glsl
flat in vec3 v_through;
flat in vec3 v_above;
flat in vec3 v_below;
flat in vec3 v_clear;
flat in vec3 v_fog;

// Light of a leaf with a cosine to the sun and an upward part of its normal, behind haze.
vec3 plant_color(vec3 albedo, float facing, float up) {
    vec3 light = v_sun * (0.85 * max(facing + 0.15, 0.0)) + v_through * (0.5 * max(-facing, 0.0) + 0.12);
    light += mix(v_below, v_above, 0.5 + 0.5 * up);
    return mix(v_fog, albedo * (light * v_shade), v_clear);
}

// How much of the pixel the ground leaves to it.
float plant_cover() {
#ifdef MIRRORED
    // The depth buffer knows.
    return v_opacity;
#else
    Layers here = layers_here();
    // Sides of the ground are in front of all that stands on it.
    float hidden = (here.away.x < v_away ? here.parts.x : 0.0) + (here.away.y < v_away ? here.parts.y : 0.0) + here.parts.z;
    return v_opacity * (1.0 - hidden);
#endif
}
