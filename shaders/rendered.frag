// The ground of `rendered` as triangles. In: world space, half tiles. After common/textured.glsl.

in vec3 v_world;
in vec2 v_tile;

void main() {
    finish(textured(v_world, v_tile, mat2(dFdx(v_tile), dFdy(v_tile))));
}
