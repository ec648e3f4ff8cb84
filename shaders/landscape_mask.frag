// A mask or a watershed over the ground of a photographed landscape, by its distances as in landscape.frag.
// After common/mask.glsl and common/distances.glsl.

uniform float tiles;
uniform vec3 eye;

vec4 seen_at(float away) {
    vec3 world = eye + (v_beside + v_ray * away);
    float size = pixel_size(way_seen(v_beside, v_ray, away));
    return mask_cover(world.xz / tile_side + 0.5 * tiles, tiles, size);
}

void main() {
    finish_mask(seen());
    out_color.rgb *= ground_part();
}
