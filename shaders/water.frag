// Water: what it mirrors, what is seen through it, and the sun's glitter on its waves. In: the plane
// of water. After common/waves.glsl, common/water_ground.glsl and common/mirror.glsl. World space,
// half tiles; linear light.

in vec3 v_offset;                // from the eye
in vec3 v_fog;

uniform bool parallel;           // seen from straight above, else by the rays of pixels
uniform vec3 first_ray, ray_right, ray_up;   // of the corner, and from pixel to pixel
uniform vec3 eye;
uniform vec3 absorption;         // 1 / half tiles
uniform vec3 bottom_color;
uniform vec3 body_color;         // what deep water sends back of white light
uniform float foam_depth;        // up to which waves break

// How much is mirrored, by the cosine of the view to the water and the deviation of its slopes.
float mirrored_part(float cosine, float deviation) {
    return 0.02 + 0.98 * pow(1.0 - cosine, 5.0 * exp(-2.69 * deviation))
        / (1.0 + 22.7 * deviation * sqrt(deviation));
}

// The sun mirrored by the part of the waves that are turned just so, under that part of the sun.
vec3 glitter(vec3 direction, vec2 slope, float rough, float facing, float sun) {
    vec3 half_way = normalize(sun_direction - direction);
    vec2 needed = -half_way.xz / max(half_way.y, 0.05) - slope;
    float spot = rough + 1.2e-3;
    float upright = half_way.y * half_way.y;
    float part = exp(-dot(needed, needed) / spot)
        / (4.0 * spot * upright * upright * max(facing, 0.06));
    float fresnel = 0.02 + 0.98 * pow(1.0 - max(dot(half_way, sun_direction), 0.0), 5.0);
    return sun_light * (sun * min(fresnel * part, 60.0) * step(0.0, sun_direction.y));
}

void main() {
    // A pixel's middle may lie above the horizon, where what comes from the vertices is void.
    vec2 pixel = gl_FragCoord.xy + origin;
    vec3 ray = first_ray + pixel.x * ray_right + pixel.y * ray_up;
    float view_distance = (level - eye.y) / min(ray.y, -1e-5);
    vec3 offset = parallel ? v_offset : ray * view_distance;
    float away = length(offset);
    vec3 direction = offset / away;
    vec3 world = vec3(eye.x + offset.x, level, eye.z + offset.z);
    vec2 along = normalize(direction.xz + vec2(1e-6));
    float facing = max(-direction.y, 1e-4);
    float footprint = log2(away * pixel_angle * pow(max(facing, 0.002), -0.75));

    vec2 tile = world.xz / tile_side + 0.5 * tiles;
    float depth = water_depth(tile);

    Waves sea = waves_at(world.xz, depth, footprint);
    vec2 slope = sea.slope;
    float rough = sea.rough;
    vec3 normal = normalize(vec3(-slope.x, 1.0, -slope.y));

    // How much is mirrored.
    float deviation = sqrt(0.5 * rough);
    float cosine = max(-dot(direction, normal), 0.01);
    float fresnel = mirrored_part(cosine, deviation);

    // The sky that is mirrored: of rough water, what is somewhat higher.
    vec3 mirrored = reflect(direction, normal);
    mirrored.y = sqrt(mirrored.y * mirrored.y + 2.0 * rough);
    bool horizon = facing < 2.0 * pixel_angle && !parallel;
    mirrored = horizon ? vec3(direction.x, 0.0, direction.z) : mirrored;
    mirrored = normalize(mirrored);
    float glow = haze_phase(sun_cosine(mirrored));
    vec2 place = sky_place(mirrored);
    vec3 reflection = sky_air(place) + sky_haze(place) * glow;
    vec3 fog = horizon ? reflection : v_fog;
    reflection = mirrored_clouds(reflection, world, mirrored, glow, 2.0 * deviation);
    reflection = mix(fog, reflection, haze_clear_out(world, mirrored));

    vec4 land = mirrored_land(pixel, view_distance, slope, along, facing, deviation);
    reflection = reflection * (1.0 - land.a) + land.rgb;

    // The light that falls on the water.
    float sun = water_sun(tile) * cloud_shadow(world);
    float sun_up = max(sun_direction.y, 0.0);
    vec3 sky_light = ambient_light(vec3(0.0, 1.0, 0.0));
    vec3 light = sun_light * (sun_up * sun) + sky_light;

    // What is seen through it. Light comes down and goes up slanted as Snell has it.
    float path = depth * (inversesqrt(1.0 - 0.57 * (1.0 - cosine * cosine))
        + inversesqrt(1.0 - 0.57 * (1.0 - sun_up * sun_up)));
    vec3 through = exp(-absorption * path);
    // Waves gather the light on the ground below.
    float gathered = 1.0 + 0.5 * (sea.heights.x + sea.heights.y) * smoothstep(0.0, 0.1 * calm_depth, depth);
    vec3 body = light * mix(body_color, bottom_color * gathered, through);

    vec3 sparkle = glitter(direction, slope, rough, facing, sun);
    vec3 color = mix(body, reflection, fresnel) + sparkle;
    float breaking = foam_depth * (1.0 + 0.8 * sea.heights.x + 0.8 * sea.heights.y);
    float foam = 1.0 - smoothstep(0.3 * breaking, breaking, depth);
    foam *= smoothstep(-0.2, 0.8, sea.heights.z + 0.6 * sea.heights.y + 0.6 * foam);
    color = mix(color, 0.75 * light, 0.8 * foam);
    color = mix(fog, color, haze_clear(eye, world));
    finish(dithered(tonemap(color)));
}
