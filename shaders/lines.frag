// The edges of the ground's cells, paler with distance so that what is near stands out.

in vec3 v_world;

uniform vec3 eye;
uniform vec2 depth_fade;       // distance of the nearest point, 1 / depth of the ground
uniform vec3 near_color;
uniform vec3 far_color;

void main() {
    float t = clamp((distance(v_world, eye) - depth_fade.x) * depth_fade.y, 0.0, 1.0);
    finish(mix(near_color, far_color, t));
}
