// Where on the ground the next pixels look. After common/distances.glsl.

// Ground that is seen from the side is seen as if its pixels were so many times as long as wide.
const float LONGEST = 8.0;

// From the ray of a pixel and where it begins to those of the next, to the right and above.
mat2x3 rays_beside = mat2x3(dFdx(v_ray), dFdy(v_ray));
mat2x3 origins_beside = mat2x3(dFdx(v_beside), dFdy(v_beside));

// From the place at a distance to those that the next pixels show, to the right and above, on ground
// of that normal.
mat2x3 beside(float away, vec3 normal) {
    // What is seen faces the eye.
    float facing = min(dot(normal, v_ray), -length(v_ray) / LONGEST);
    mat2x3 off = origins_beside + away * rays_beside;
    return off - outerProduct(v_ray, normal * off / facing);
}
