// From linear light to the screen, as landform::sky::tone.

uniform float night;             // 0 by day, 1 by moonlight
uniform vec2 origin;             // first column and row of the piece drawn

float luminance(vec3 light) {
    return dot(light, vec3(0.2126, 0.7152, 0.0722));
}

// The colour on the screen, sRGB, 0..1.
vec3 tonemap(vec3 light) {
    float grey = luminance(light);
    light = mix(light, grey * vec3(0.46, 0.80, 1.60), night * 0.8 / (1.0 + 1.5 * grey));
    light = mix(light, vec3(luminance(light)), 0.06);
    vec3 x = max(light - 0.004, 0.0);
    return (x * (6.2 * x + 0.5)) / (x * (6.2 * x + 1.7) + 0.06);
}

// Half a step of an 8-bit channel up or down, so that slow gradients show no bands. Counted from
// the corner of the whole picture, so that it may be drawn in pieces.
vec3 dithered(vec3 color) {
    vec2 pixel = mod(floor(gl_FragCoord.xy) + origin, 64.0);
    float noise = fract(dot(pixel, vec2(0.754877666, 0.569840291)));
    return color + (abs(noise * 2.0 - 1.0) - 0.5) / 255.0;
}
