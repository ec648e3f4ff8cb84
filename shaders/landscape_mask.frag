// A mask or a watershed over the ground of a photographed landscape, by its distances as in landscape.frag. In:
// common/mask.glsl.

in vec3 v_origin;
in vec3 v_ray;

#ifdef MULTISAMPLED
uniform sampler2DMS distances;
#else
uniform sampler2D distances;
#endif
uniform int samples;
uniform float tiles;
uniform vec3 eye;

vec4 cover_at(float away) {
    vec3 world = v_origin + v_ray * away;
    return mask_cover(world.xz / tile_side + 0.5 * tiles, tiles, pixel_size(world, eye));
}

void main() {
    vec4 sum = vec4(0.0);
    float count = 0.0;
    for (int i = 0; i < samples; i++) {
        float away = texelFetch(distances, ivec2(gl_FragCoord.xy), i).r;
        if (away < NOTHING) {
            sum += cover_at(away);
            count += 1.0;
        }
    }
    finish_mask(sum / max(count, 1.0));
}
