// The sides of the ground. In: world space. After common/earth.glsl or common/plain_earth.glsl.

in vec3 v_world;
flat in vec3 v_normal;

void main() {
    finish(earth_at(v_world, v_normal));
}
