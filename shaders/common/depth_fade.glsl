// Paler with distance, so that what is near stands out.

uniform vec3 eye;
uniform vec2 depth_fade;       // distance of the nearest point, 1 / depth of the ground
uniform vec3 near_color;
uniform vec3 far_color;
uniform float sea_above_eye;   // half tiles; far below without a sea
uniform vec3 sea_shallow;      // what is left of each colour below it, in shallow and in deep water
uniform vec3 sea_deep;
uniform float sea_fade;        // 1 / half tiles of depth

#ifdef ENDLESS
uniform float fade_power;      // of distances, by which both are told
#endif

vec3 faded(vec3 place) {
    float away = distance(place, eye);
#ifdef ENDLESS
    away = pow(away, fade_power);
#endif
    float t = clamp((away - depth_fade.x) * depth_fade.y, 0.0, 1.0);
    vec3 color = mix(near_color, far_color, t);
    float depth = sea_above_eye - (place.y - eye.y);
    return depth > 0.0 ? color * mix(sea_deep, sea_shallow, exp(-depth * sea_fade)) : color;
}
