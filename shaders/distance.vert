// The ground in space, for its distance alone, as far as it is above the water. In: common/ground.glsl.

uniform mat4 clip_from_world;
uniform vec3 forward;
uniform float water_above_eye;

centroid out float v_distance;   // along the view

void main() {
    Sample at = ground_vertex(ivec2(corner));
    v_distance = dot(at.world - eye, forward);
    gl_Position = clip_from_world * vec4(at.world, 1.0);
    gl_ClipDistance[0] = at.world.y - eye.y - water_above_eye;
}
