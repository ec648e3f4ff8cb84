// The whole picture, at the far end of all depths; rays through its pixels. After
// common/pixel_rays.glsl. Distances along the view.

in vec2 corner;       // in clip space

out vec3 v_beside;   // where rays begin, from the eye
out vec3 v_ray;

void main() {
    v_beside = ray_beside(corner);
    v_ray = ray_through(corner);
    gl_Position = vec4(corner, 1.0, 1.0);
}
