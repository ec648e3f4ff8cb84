// Impostors of plants: quads that face the eye. If MIRRORED is defined, as the sea mirrors them: `eye` is the mirrored one.
// After common/plant_light.glsl and common/plant_wind.glsl. Half tiles.

in vec3 foot;         // from the eye
in vec2 size;         // height, radius
in vec2 tile;         // column and row of its view in the atlas
in vec2 look;         // opacity, a random number
in vec4 turned;       // see common/plant_leaves.glsl
in vec2 corner;       // -1..1

uniform mat4 clip_from_eye;
uniform vec3 forward;
uniform vec3 right;           // of the picture
uniform bool parallel;
uniform vec2 plant_tile;      // sides of a view in the atlas
uniform float plant_filled;   // share of them that the plant fills
uniform vec2 plant_texels;    // of a plant
uniform float plant_levels;   // the last mipmap

out vec2 v_place;             // in the atlas
out float v_across;            // -1..1
out float v_shade;
out float v_away;
flat out float v_level;
flat out float v_opacity;
flat out vec3 v_sun_way;      // to the sun, in the frame of the quad
flat out vec3 v_up_way;
flat out vec3 v_tint;
flat out vec4 v_turned;
flat out float v_snow;
flat out vec3 v_sun;
flat out vec3 v_through;
flat out vec3 v_above;
flat out vec3 v_below;
flat out vec3 v_clear;
flat out vec3 v_fog;

void main() {
    vec3 middle = foot + vec3(0.0, 0.5 * size.x, 0.0);
    float distance_to = length(middle);
    vec3 toward = parallel ? -forward : -middle / distance_to;
    vec3 across = cross(vec3(0.0, 1.0, 0.0), toward);
    across = dot(across, across) < 1e-6 ? normalize(right) : normalize(across);
    vec3 upward = cross(toward, across);
    float sine = clamp(toward.y, 0.0, 1.0);
    float cosine = sqrt(1.0 - toward.y * toward.y);
    vec2 half_sides = vec2(size.y, 0.5 * cosine * size.x + sine * size.y);
    vec3 place = middle + across * (half_sides.x * corner.x) + upward * (half_sides.y * corner.y);
    float high = 0.5 + 0.5 * corner.y;
    // About as its model does.
    place += size.x * 0.5 * high * swayed(look.y);
    gl_Position = clip_from_eye * vec4(place, 1.0);
    // In front of its own model, which it takes over from.
    vec4 before = clip_from_eye * vec4(place + toward * size.y, 1.0);
    gl_Position.z = max(before.z / max(before.w, 1e-12), -1.0) * gl_Position.w;
#ifdef MIRRORED
    gl_ClipDistance[0] = eye.y + place.y - level;
#endif
    v_place = (tile + 0.5 + 0.5 * plant_filled * corner) * plant_tile;
    v_across = corner.x;
    // A little nearer, so that the ground behind the foot does not cut into the plant.
    v_away = dot(foot + vec3(0.0, size.x * high, 0.0), forward) - 0.3 * size.y;
    float counted = parallel ? clamp(distance_to, counted_away.x, counted_away.y) : distance_to;
    // The mirrored picture has half as many pixels a side.
#ifdef MIRRORED
    float pixel = 2.0 * counted * pixel_angle;
#else
    float pixel = counted * pixel_angle;
#endif
    vec2 texels = plant_texels * pixel / (2.0 * half_sides);
    v_level = clamp(0.5 * log2(max(texels.x * texels.y, 1e-12)) + STEADY, 0.0, plant_levels);
    v_opacity = look.x;
    v_sun_way = vec3(dot(sun_direction, across), dot(sun_direction, upward), dot(sun_direction, toward));
    v_up_way = vec3(0.0, upward.y, toward.y);
    PlantLight light = plant_light_at(middle, toward, max(size.y, pixel), look.y);
    v_tint = light.tint;
    v_turned = turned;
    v_snow = light.snow;
    v_shade = mix(light.shade, 1.0, high);
    v_sun = light.sun;
    v_through = light.through;
    v_above = light.above;
    v_below = light.below;
    v_clear = light.clear;
    v_fog = light.fog;
}
