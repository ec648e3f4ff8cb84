// A ridge line: opaque within half its width of the segment, one pixel of softness around it.

flat in vec2 v_from;
flat in vec2 v_to;

uniform vec2 origin;           // of this piece in the picture, pixels
uniform float half_width;      // pixels
uniform vec3 line_color;
uniform bool antialias;

void main() {
    vec2 along = v_to - v_from;
    vec2 from = gl_FragCoord.xy + origin - v_from;
    float t = clamp(dot(from, along) / max(dot(along, along), 1e-12), 0.0, 1.0);
    float coverage = clamp(half_width + 0.5 - length(from - along * t), 0.0, 1.0);
    if (!antialias) {
        coverage = step(0.5, coverage);
    }
    finish(line_color);
    out_color.a = coverage;
}
