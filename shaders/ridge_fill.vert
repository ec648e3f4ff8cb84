// The area below a ridge: two triangles a segment, six vertices without a buffer.

uniform float bottom;          // clip space

out vec2 v_clip;
out float v_depth;             // clip units below the ridge

void main() {
    int segment = gl_VertexID / 6;
    int part = gl_VertexID - segment * 6;
    bool right = part == 1 || part == 2 || part == 4;
    bool below = part == 2 || part == 4 || part == 5;
    vec2 point = ridge_point(segment + int(right));
    v_depth = below ? point.y - bottom : 0.0;
    v_clip = vec2(point.x, below ? bottom : point.y);
    gl_Position = vec4(v_clip, 0.0, 1.0);
}
