// Impostors of plants: quads that face the eye. After common/tile.glsl, common/visibility.glsl, common/sky.glsl,
// common/clouds.glsl and common/fog.glsl. Half tiles.

in vec3 foot;         // from the eye
in vec2 size;         // height, radius
in vec2 tile;         // column and row of its view in the atlas
in vec2 look;         // opacity, a random number
in vec2 corner;       // -1..1

uniform mat4 clip_from_eye;
uniform vec3 eye;
uniform vec3 forward;
uniform vec3 right;           // of the picture
uniform bool parallel;
uniform float tiles;
uniform vec2 plant_tile;      // sides of a view in the atlas
uniform float plant_filled;   // share of them that the plant fills
uniform vec2 plant_texels;    // of a plant
uniform float plant_levels;   // the last mipmap

out vec2 v_place;             // in the atlas
out float v_high;             // along the plant, 0..1
out float v_away;             // along the view
flat out float v_level;
flat out float v_opacity;
flat out vec3 v_sun_way;      // to the sun, in the frame of the quad
flat out vec3 v_up_way;
flat out vec3 v_sun;          // light of the sun
flat out vec3 v_through;      // of it what comes through leaves
flat out vec3 v_high_light;   // light from above and from below
flat out vec3 v_low_light;
flat out vec3 v_tint;
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
    gl_Position = clip_from_eye * vec4(place, 1.0);
    v_place = (tile + 0.5 + 0.5 * plant_filled * corner) * plant_tile;
    v_high = 0.5 + 0.5 * corner.y;
    // A little nearer, so that the ground behind the foot does not cut into the plant.
    v_away = dot(foot + vec3(0.0, size.x * v_high, 0.0), forward) - 0.3 * size.y;
    float counted = parallel ? clamp(distance_to, counted_away.x, counted_away.y) : distance_to;
    vec2 pixels = 2.0 * half_sides / (counted * pixel_angle);
    vec2 texels = plant_texels / pixels;
    v_level = clamp(log2(max(max(texels.x, texels.y), 1e-6)), 0.0, plant_levels);
    v_opacity = look.x;

    vec3 world = eye + middle;
    vec2 on_tiles = world.xz / tile_side + 0.5 * tiles;
    vec2 seen = visibility_at(on_tiles, tiles, log2(max(size.y, counted * pixel_angle)));
    v_sun_way = vec3(dot(sun_direction, across), dot(sun_direction, upward), dot(sun_direction, toward));
    v_up_way = vec3(0.0, upward.y, toward.y);
    float up = step(0.0, sun_direction.y);
    v_sun = sun_light * (seen.x * cloud_shadow(world) * up);
    // Seen against the light leaves are bright.
    float against = max(dot(-toward, sun_direction), 0.0);
    v_through = v_sun * (0.25 + 0.75 * against * against * against);
    vec3 above = ambient_light(vec3(0.0, 1.0, 0.0));
    vec3 level = ambient_light(normalize(vec3(toward.x, 0.0, toward.z) + vec3(1e-5, 0.0, 0.0)));
    vec3 ground = 0.12 * (v_sun * max(sun_direction.y, 0.0) + above * seen.y);
    v_high_light = mix(level, above, 0.7) * seen.y;
    v_low_light = 0.35 * level * seen.y + ground;
    float tone = fract(look.y * 37.0);
    v_tint = mix(0.8, 1.2, look.y) * mix(vec3(0.92, 1.0, 1.05), vec3(1.15, 1.0, 0.8), tone);
    v_fog = fog_color(normalize(middle));
    v_clear = haze_clear(eye, world);
}
