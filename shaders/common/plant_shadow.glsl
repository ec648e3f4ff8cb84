// Shadows of single plants in the view, if CANOPY is defined: src/render/plants.

#ifdef CANOPY

uniform sampler2D plant_shadows;   // four windows, the nearest first
uniform mat4 plant_windows;        // of each its middle from the eye, east and south, and half its sides
uniform vec2 plant_slices;         // where the first one begins, as a power of two, and windows for a power

float plant_window(int index, vec2 beside) {
    vec4 window = plant_windows[min(index, 3)];
    vec2 place = clamp((beside - window.xy) / window.zw * 0.5 + 0.5, 0.001, 0.999);
    vec2 corner = vec2(index & 1, index >> 1);
    float light = textureLod(plant_shadows, 0.5 * (place + corner), 0.0).r;
    return index > 3 ? 1.0 : light;
}

// What of the sun's light plants leave to the ground that far from the eye. Each window fades to the next one.
float plant_light(vec3 from_eye) {
    float level = (log2(max(length(from_eye), 1e-30)) - plant_slices.x) * plant_slices.y;
    level = clamp(level, 0.0, 4.0);
    int index = int(level);
    float part = clamp((fract(level) - 0.8) * 5.0, 0.0, 1.0);
    return mix(plant_window(index, from_eye.xz), plant_window(index + 1, from_eye.xz), part);
}

#endif
