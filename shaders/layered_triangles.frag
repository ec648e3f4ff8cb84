// The ground of `triangles`, smoothly lit and coloured by height, from its distances. After
// common/distances.glsl.

uniform vec3 eye;
uniform float tiles;

vec4 seen_at(float away) {
    vec3 world = v_origin + v_ray * away;
    vec2 tile = world.xz / tile_side + 0.5 * tiles;
    float size = pixel_size(world, eye);
    vec4 weights = covers_at(tile, tiles, size - log2(tile_side.x));
    vec3 color = under_covers(palette_color(world.y), weights);
    vec2 seen = visibility_at(tile, tiles, size);
    return vec4(lit(color, smooth_normal(tile, tiles, size), seen.x, seen.y), 1.0);
}

void main() {
    finish(seen().rgb);
    out_color *= ground_part();
}
