// Painted clouds: a pyramid around the eye whose clouds stay where they are in the world.

in vec3 corner;                // of the pyramid, half tiles

uniform mat4 clip_from_world;
uniform vec3 centre;           // where the pyramid stands

out vec3 v_world;

void main() {
    v_world = corner + centre;
    vec4 clip = clip_from_world * vec4(v_world, 1.0);
    gl_Position = clip.xyww;   // behind everything
}
