// Shadows of single plants around the eye: src/render/plants/shadow.rs.

#ifdef PLANTS

uniform sampler2D plant_shadows;   // four windows, the narrowest first
uniform mat4 plant_windows;        // of each its middle from the eye, east and south, and half its side

float plant_window(int index, vec2 beside) {
    vec4 window = plant_windows[min(index, 3)];
    vec2 place = clamp((beside - window.xy) / window.z * 0.5 + 0.5, 0.002, 0.998);
    vec2 corner = vec2(index & 1, index >> 1);
    float light = textureLod(plant_shadows, 0.5 * (place + corner), 0.0).r;
    return index > 3 ? 1.0 : light;
}

// What of the sun's light plants leave to the ground that far from the eye: from the narrowest window that has it, which
// fades to the next one towards its border.
float plant_light(vec3 from_eye) {
    const float INNER = 0.9;
    float aside = max(max(abs(from_eye.x), abs(from_eye.z)), 1e-30);
    float level = max(0.5 * log2(aside / (INNER * plant_windows[0].z)), -1.0) + 1.0;
    int index = min(int(level), 3);
    float part = level > 4.0 ? 1.0 : clamp((fract(level) - 0.8) * 5.0, 0.0, 1.0);
    part = level < 4.0 ? part : 1.0;
    return mix(plant_window(index, from_eye.xz), plant_window(index + 1, from_eye.xz), part);
}

#endif
