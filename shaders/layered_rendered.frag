// The ground of `rendered`, from its distances. After common/textured.glsl, common/smooth_normal.glsl,
// common/distances.glsl and common/beside.glsl.

uniform float tiles;

vec4 seen_at(float away) {
    vec3 world = eye + (v_beside + v_ray * away);
    vec2 tile = world.xz / tile_side + 0.5 * tiles;
    vec3 normal = smooth_normal(tile, tiles, pixel_size(way_seen(v_beside, v_ray, away)));
    mat2x3 next = beside(away, normal);
    mat2 grown = mat2(next[0].xz / tile_side, next[1].xz / tile_side);
    return vec4(textured(world, tile, grown), 1.0);
}

void main() {
    finish(seen().rgb);
    out_color *= ground_part();
}
