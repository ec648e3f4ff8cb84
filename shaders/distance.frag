// The distance of the ground along the view; of its sides SIDE, which comes from Rust. If
// ENDLESS is defined the depth is the logarithm of the distance, so that the ground at one's feet and the
// horizon share a buffer; otherwise it is that of each sample, which is exact at edges.

centroid in float v_distance;

uniform bool is_side;
#ifdef ENDLESS
uniform bool parallel;    // seen from straight above, where distances may be negative
#endif

out float out_distance;

void main() {
    out_distance = is_side ? SIDE : v_distance;
#ifdef ENDLESS
    gl_FragDepth = parallel ? gl_FragCoord.z : (log2(max(v_distance, 1e-12)) + 40.0) / 50.0;
#endif
}
