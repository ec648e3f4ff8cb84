// Where on the ground the next pixels look. After common/distances.glsl.

// Ground that is seen from the side is seen as if its pixels were so many times as long as wide.
const float LONGEST = 8.0;

// From the ray of a pixel to those of the next, to the right and above.
mat2x3 rays_beside = mat2x3(dFdx(v_ray), dFdy(v_ray));

// From the place at a distance to those that the next pixels show, to the right and above, on ground
// of that normal.
mat2x3 beside(float away, vec3 normal) {
    // What is seen faces the eye.
    float facing = min(dot(normal, v_ray), -length(v_ray) / LONGEST);
    return away * (rays_beside - outerProduct(v_ray, normal * rays_beside / facing));
}
