// Paler with distance, so that what is near stands out.

uniform vec3 eye;
uniform vec2 depth_fade;       // distance of the nearest point, 1 / depth of the ground
uniform vec3 near_color;
uniform vec3 far_color;

#ifdef ENDLESS
uniform float fade_power;      // of distances, by which both are told
#endif

vec3 faded(vec3 place) {
    float away = distance(place, eye);
#ifdef ENDLESS
    away = pow(away, fade_power);
#endif
    float t = clamp((away - depth_fade.x) * depth_fade.y, 0.0, 1.0);
    return mix(near_color, far_color, t);
}
