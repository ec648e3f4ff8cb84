// The ground in space. In: common/ground.glsl. DEEP: of a window around the eye.

uniform mat4 clip_from_world;

out vec3 v_world;     // half tiles
out vec2 v_tile;      // 0..tiles along x and z; of a window cells from its first sample
#ifdef DEEP
out float v_own;      // how much of what the next coarser window has not is seen
#endif
invariant gl_Position;

void main() {
    Sample at = ground_vertex(ivec2(corner));
    v_world = at.world;
    v_tile = at.tile;
#ifdef DEEP
    v_own = at.own;
#endif
    gl_Position = clip_from_world * vec4(at.world, 1.0);
}
