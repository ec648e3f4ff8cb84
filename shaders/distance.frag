// How far the ground is.

centroid in float v_distance;

out float out_distance;

void main() {
    out_distance = v_distance;
}
