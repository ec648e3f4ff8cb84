// The ground in space. In: common/ground.glsl.

uniform mat4 clip_from_world;

out vec3 v_world;     // half tiles
out vec2 v_tile;      // 0..tiles along x and z
invariant gl_Position;

void main() {
    Sample at = ground_vertex(ivec2(corner));
    v_world = at.world;
    v_tile = at.tile;
    gl_Position = clip_from_world * vec4(at.world, 1.0);
}
