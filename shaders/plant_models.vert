// Models of plants close to the eye. After common/plant_light.glsl, common/plant_leaves.glsl and
// common/plant_wind.glsl. Half tiles.

in vec3 position;     // of a plant of height 1
in vec3 normal;
in vec3 color;        // linear albedo
in float snow;        // share that snow hides at most
in float sway;        // share of the wind's motion
in vec3 foot;         // from the eye
in vec3 pose;         // height, cosine and sine of the rotation
in vec2 look;         // opacity, a random number
in vec4 turned;       // see common/plant_leaves.glsl

uniform mat4 clip_from_eye;
uniform vec3 forward;

out vec3 v_albedo;
out vec2 v_lit;       // cosine to the sun, upward part of the normal
out float v_away;
out float v_shade;
flat out float v_opacity;
flat out vec3 v_sun;
flat out vec3 v_through;
flat out vec3 v_above;
flat out vec3 v_below;
flat out vec3 v_clear;
flat out vec3 v_fog;

vec3 rotated(vec3 way) {
    return vec3(pose.y * way.x - pose.z * way.z, way.y, pose.z * way.x + pose.y * way.z);
}

void main() {
    vec3 place = foot + pose.x * (rotated(position) + sway * swayed(look.y));
    vec3 middle = foot + vec3(0.0, 0.5 * pose.x, 0.0);
    vec3 toward = -normalize(middle);
    vec3 facing = rotated(normal);
    gl_Position = clip_from_eye * vec4(place, 1.0);
    v_away = dot(place, forward);
    v_opacity = look.x;
    PlantLight light = plant_light_at(middle, toward, 0.2 * pose.x, look.y);
    v_albedo = mix(leaf_color(color, turned) * light.tint, SNOW, snow * light.snow);
    v_shade = mix(light.shade, 1.0, position.y);
    v_lit = vec2(dot(facing, sun_direction), facing.y);
    v_sun = light.sun;
    v_through = light.through;
    v_above = light.above;
    v_below = light.below;
    v_clear = light.clear;
    v_fog = light.fog;
}
