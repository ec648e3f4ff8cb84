// The sides and the floor below the ground's border. In: common/ground.glsl, but `corner` is
// (0..block along the side, 0 at the top and 1 at the bottom).

in int side;          // 0 north, 1 south, 2 west, 3 east, 4 the floor

uniform mat4 clip_from_world;
uniform float base;   // height of the floor, half tiles
uniform int block;    // cells along a patch's side
uniform vec3 forward;
uniform float water_above_eye;

out vec3 v_world;     // half tiles
centroid out float v_distance;   // along the view
flat out vec3 v_normal;

void main() {
    int along = int(corner.x);
    ivec2 at = side == 0 ? ivec2(along, 0) : side == 1 ? ivec2(along, block)
        : side == 2 ? ivec2(0, along) : ivec2(block, along);
    v_normal = side == 0 ? vec3(0.0, 0.0, -1.0) : side == 1 ? vec3(0.0, 0.0, 1.0)
        : side == 2 ? vec3(-1.0, 0.0, 0.0) : side == 3 ? vec3(1.0, 0.0, 0.0)
        : vec3(0.0, -1.0, 0.0);
    v_world = ground_vertex(at).world;
    if (corner.y == 1u) {
        v_world.y = base;
    }
    if (side == 4) {
        vec2 place = vec2(float(along) / float(block), float(corner.y)) - 0.5;
        v_world = vec3(place * tiles * tile_side, base).xzy;
    }
    v_distance = dot(v_world - eye, forward);
    gl_Position = clip_from_world * vec4(v_world, 1.0);
    gl_ClipDistance[0] = v_world.y - eye.y - water_above_eye;
}
