// The ground as lit triangles, coloured by height. In: world space, half tiles.

in vec3 v_world;
in vec2 v_tile;

uniform float tiles;
uniform bool flat_shading;

void main() {
    vec3 normal = flat_shading
        ? normalize(cross(dFdy(v_world), dFdx(v_world)))
        : smooth_normal(v_tile, tiles);
    if (flat_shading && normal.y < 0.0) {
        normal = -normal;
    }
    float sun = sun_visibility(v_tile, tiles);
    float sky = sky_visibility(v_tile, tiles);
    finish(lit(palette_color(v_world.y), normal, sun, sky));
}
