// A ridge line as rectangles around its segments, wide enough for round ends and soft edges.

uniform vec2 size;             // pixels
uniform float half_width;      // pixels

flat out vec2 v_from;          // pixels
flat out vec2 v_to;

void main() {
    int segment = gl_VertexID / 6;
    int part = gl_VertexID - segment * 6;
    v_from = (ridge_point(segment) * 0.5 + 0.5) * size;
    v_to = (ridge_point(segment + 1) * 0.5 + 0.5) * size;
    vec2 along = v_to - v_from;
    along = dot(along, along) > 0.0 ? normalize(along) : vec2(1.0, 0.0);
    vec2 across = vec2(-along.y, along.x);
    float reach = half_width + 1.0;
    bool end = part == 1 || part == 2 || part == 4;
    bool left = part == 2 || part == 4 || part == 5;
    vec2 place = (end ? v_to + along * reach : v_from - along * reach)
        + across * (left ? reach : -reach);
    gl_Position = vec4(place / size * 2.0 - 1.0, 0.0, 1.0);
}
