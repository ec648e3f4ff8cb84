// What water mirrors of the ground. In: common/ground.glsl, where `eye` is the mirrored one.

uniform mat4 clip_from_world;
uniform float level;

out vec3 v_world;     // half tiles
out vec2 v_tile;      // 0..tiles along x and z
out vec3 v_clear;     // of haze on the way from the water
out vec3 v_fog;

void main() {
    Sample at = ground_vertex(ivec2(corner));
    v_world = at.world;
    v_tile = at.tile;
    vec3 to_eye = eye - at.world;
    vec3 water = at.world + to_eye * clamp((level - at.world.y) / min(to_eye.y, -1e-6), 0.0, 1.0);
    v_clear = haze_clear(water, at.world);
    v_fog = fog_color(normalize(-to_eye));
    gl_Position = clip_from_world * vec4(at.world, 1.0);
    gl_ClipDistance[0] = at.world.y - level;
}
