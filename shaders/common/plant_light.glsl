// Light on a plant, for its vertices. After common/tile.glsl, common/smooth_normal.glsl, common/covers.glsl,
// common/visibility.glsl, common/sky.glsl, common/clouds.glsl and common/fog.glsl. Half tiles.

uniform vec3 eye;
uniform float tiles;

uniform sampler2D canopy;          // see common/canopy.glsl
uniform vec4 canopy_place;
uniform float canopy_texels;
#ifdef MIRRORED
uniform float level;               // of the water
#endif

struct PlantLight {
    vec3 sun;          // light of the sun
    vec3 through;      // of it what comes through leaves
    vec3 above;        // light from above and from below
    vec3 below;
    vec3 tint;
    vec3 clear;        // of haze
    vec3 fog;
    float shade;       // light at its foot
    float snow;        // on it, as a share of the most that it holds
};

// Light on a plant that far from the eye, which is seen along a direction to the eye and this wide; `dice` is its random
// number.
PlantLight plant_light_at(vec3 from_eye, vec3 toward, float wide, float dice) {
    vec3 world = eye + from_eye;
    vec2 on_tiles = world.xz / tile_side + 0.5 * tiles;
    vec2 seen = visibility_at(on_tiles, tiles, log2(wide));
    PlantLight light;
    light.sun = sun_light * (seen.x * cloud_shadow(world) * step(0.0, sun_direction.y));
    // Seen against the light leaves are bright.
    float against = max(dot(-toward, sun_direction), 0.0);
    light.through = light.sun * (0.25 + 0.75 * against * against * against);
    vec3 sky = ambient_light(vec3(0.0, 1.0, 0.0));
    vec3 aside = ambient_light(normalize(vec3(toward.x, 0.0, toward.z) + vec3(1e-5, 0.0, 0.0)));
    vec3 ground = 0.12 * (light.sun * max(sun_direction.y, 0.0) + sky * seen.y);
    light.above = mix(aside, sky, 0.7) * seen.y;
    light.below = 0.35 * aside * seen.y + ground;
    float tone = fract(dice * 37.0);
    light.tint = mix(0.8, 1.2, dice) * mix(vec3(0.92, 1.0, 1.05), vec3(1.15, 1.0, 0.8), tone);
    light.fog = fog_color(normalize(from_eye));
#ifdef MIRRORED
    // On the way from the water.
    vec3 start = world - from_eye * clamp((world.y - level) / max(from_eye.y, 1e-6), 0.0, 1.0);
    light.clear = haze_clear(start, world);
#else
    light.clear = haze_clear(eye, world);
#endif
    light.snow = crown_snow(normal_and_snow(on_tiles, tiles, log2(wide)).w);
    // Within a stand it is dark below.
    vec4 open = 1.0 - weights_at(canopy, canopy_place, canopy_texels, on_tiles, tiles, log2(4.0 * wide) - log2(tile_side.x));
    light.shade = mix(0.4, 0.9, open.x * open.y * open.z * open.w);
    return light;
}
