// The sides of ground that is found without triangles: where rays enter the block. After
// common/earth.glsl or common/plain_earth.glsl, and common/layers.glsl.

in vec3 v_ray;

uniform vec2 tile_side;
uniform float tiles;

void main() {
    vec2 side = -sign(v_ray.xz);
    vec2 away = (side * 0.5 * tiles * tile_side - eye.xz) / v_ray.xz;
    // A ray along a side meets it nowhere: it is nearly endlessly far behind, and how far changes at once.
    away = mix(max(away, 0.0), vec2(0.0), lessThan(abs(v_ray.xz), vec2(1e-9)));
    // A pixel may show both sides of a corner.
    float ahead = away.x - away.y;
    float along_x = clamp(0.5 + ahead / max(fwidth(ahead), 1e-9), 0.0, 1.0);
    vec3 normal = mix(vec3(0.0, 0.0, side.y), vec3(side.x, 0.0, 0.0), along_x);
    vec3 world = eye + v_ray * max(away.x, away.y);
    finish(earth_at(world, normal));
    out_color *= layers_here().parts.z;
}
