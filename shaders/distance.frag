// How far the ground is, or that there is its side: then the distance is SIDE, which comes from Rust. The
// depth is the logarithm of the distance, so that the ground at one's feet and the horizon share a buffer.

centroid in float v_distance;

uniform bool is_side;
uniform bool parallel;    // seen from straight above, where distances may be negative

out float out_distance;

void main() {
    out_distance = is_side ? SIDE : v_distance;
    gl_FragDepth = parallel ? gl_FragCoord.z : (log2(max(v_distance, 1e-12)) + 40.0) / 50.0;
}
