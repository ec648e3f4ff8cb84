// The sides of the ground in depth layers: where rays enter the block of earth, or leave it if the eye is
// within. After common/earth.glsl or common/plain_earth.glsl, and common/layers.glsl.

in vec3 v_ray;

uniform vec2 tile_side;
uniform float tiles;

void main() {
    // A ray along a side meets it nowhere, nearly endlessly far away.
    vec3 ray = mix(v_ray, vec3(1e-9), lessThan(abs(v_ray), vec3(1e-9)));
    vec3 facing = -sign(ray);
    vec3 border = vec3(0.5 * tiles * tile_side, base).xzy;
    vec3 enters = (vec3(facing.x, 1.0, facing.z) * border - eye) / ray;
    vec3 leaves = (vec3(-facing.x, 1.0, -facing.z) * border - eye) / ray;
    // The floor is entered from below and left from above.
    enters.y = facing.y < 0.0 ? enters.y : 0.0;
    leaves.y = facing.y > 0.0 ? leaves.y : 1e9;
    enters = max(enters, 0.0);
    bool is_within = max(max(enters.x, enters.y), enters.z) <= 0.0;
    vec3 away = is_within ? -leaves : enters;
    // A pixel may show both sides of a corner.
    float ahead = away.x - away.z;
    float along_x = clamp(0.5 + ahead / max(fwidth(ahead), 1e-9), 0.0, 1.0);
    vec3 normal = mix(vec3(0.0, 0.0, facing.z), vec3(facing.x, 0.0, 0.0), along_x);
    normal = is_within ? -normal : normal;
    float nearest = max(max(away.x, away.y), away.z);
    normal = away.y >= nearest ? vec3(0.0, -1.0, 0.0) : normal;
    finish(earth_at(eye + ray * abs(nearest), normal));
    out_color *= layers_here().parts.z;
}
