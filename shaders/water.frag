// Water: what it mirrors, what is seen through it, and the sun's glitter on its waves. In: the plane
// of water. After common/waves.glsl, common/water_ground.glsl, common/water_light.glsl and
// common/mirror.glsl; if CANOPY is defined after common/plant_shadow.glsl. World space, half tiles; linear light.

in vec3 v_offset;                // from the eye
in vec3 v_fog;

uniform bool parallel;           // seen from straight above, else by the rays of pixels
uniform vec3 first_ray, ray_right, ray_up;   // of the corner, and from pixel to pixel
uniform vec3 eye;
uniform vec3 bottom_color;
uniform vec2 foam_heights;       // heights of waves without foam and with all of it

// The highest of a hundred waves, in significant heights.
const float HIGHEST = 1.67;

// Share of the white water of waves of a height at a place of a depth: a line where they run out, and a weaker one where
// they break, in 1.3 times their height (McCowan 1894). `along` is the view's way on the water, which a pixel covers so far
// `along` it and `across`.
float foam_at(vec2 tile, float depth, float height, vec3 waves, vec2 along, vec2 pixel) {
    float lively = smoothstep(foam_heights.x, foam_heights.y, height);
    if (lively == 0.0 || depth > 2.0 * height) {
        return 0.0;
    }
    // How far depths differ within the pixel.
    vec2 cell = cell_fraction * tile_side;
    float here = ground_above(tile);
    vec2 fall = vec2(ground_above(tile + vec2(cell_fraction.x, 0.0)), ground_above(tile + vec2(0.0, cell_fraction.y)));
    fall = (fall - here) / cell;
    // Waves are spent within a few lengths, so wide shallows are calm.
    lively *= min(4.0 * calm_depth * length(fall) / (0.7 * height), 1.0);
    float blur = abs(dot(fall, along)) * pixel.x + abs(fall.x * along.y - fall.y * along.x) * pixel.y;
    blur = max(blur, 0.1 * height);
    float swash = height * (0.35 + 0.45 * (waves.x + waves.y));
    // Finer ground than the map's may lie below the water where the map is dry.
    float edge = min((swash - abs(here)) / blur + 0.5, 2.0 * max(swash, 0.0) / blur);
    float apart = 0.5 * blur - abs(depth - 1.3 * height);
    float bar = min(apart + 0.35 * height, 0.7 * height) / blur;
    float torn = smoothstep(-0.6, 0.5, waves.z + 0.5 * waves.y);
    float breaking = 0.8 * smoothstep(-0.25, 0.6, waves.x + 0.7 * waves.y + 0.4 * waves.z);
    vec2 foam = clamp(vec2(edge, bar), 0.0, 1.0) * vec2(torn, breaking);
    return lively * max(foam.x, foam.y);
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
    float pixel_length = away * pixel_angle / max(facing, pixel_angle);

    vec2 tile = world.xz / tile_side + 0.5 * tiles;
    float depth = water_depth(tile);

    float growth = wave_growth(tile, tiles);
    Waves sea = waves_at(world.xz, depth, growth, footprint);
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
    // Even a calm lake moves a little, and blurs what is as soft as clouds.
    reflection = mirrored_clouds(reflection, world, mirrored, glow, 2.0 * deviation + 0.02, pixel_length);
    reflection = mix(fog, reflection, haze_clear_out(world, mirrored));

    vec4 land = mirrored_land(pixel, view_distance, slope, along, facing, deviation);
    reflection = reflection * (1.0 - land.a) + land.rgb;

    // The light that falls on the water.
    float sun = water_sun(tile) * cloud_shadow(world, pixel_length);
    float sun_up = max(sun_direction.y, 0.0);
    vec3 sky_light = ambient_light(vec3(0.0, 1.0, 0.0));
    float lit = sun;
#ifdef CANOPY
    // Shadows of plants lie where the light comes back from: on the bottom, or as deep as one sees.
    lit *= plant_light(offset + depth_parallax(depth, direction));
    sun *= plant_light(offset);
#endif
    vec3 light = sun_light * (sun_up * lit) + sky_light;

    // What is seen through it.
    vec3 through = seen_through(depth, cosine, sun_up);
    // Waves gather the light on the ground below.
    float gathered = 1.0 + 0.5 * (sea.heights.x + sea.heights.y) * smoothstep(0.0, 0.1 * calm_depth, depth);
    // Where waves run out the ground is as dark as the wet shore beside it.
    float height = HIGHEST * growth * wave_height;
    vec3 bottom = bottom_color * (gathered * mix(0.7, 1.0, smoothstep(0.0, 3.0 * height + 1e-6, depth)));
    vec3 body = light * mix(body_color, bottom, through);

    vec3 sparkle = glitter(direction, world.xz, sea, footprint, facing, sun);
    vec3 color = mix(body, reflection, fresnel) + sparkle;
    float foam = foam_at(tile, depth, height, sea.heights, along, vec2(pixel_length, away * pixel_angle));
    color = mix(color, 0.75 * light, 0.9 * foam);
    color = mix(fog, color, haze_clear(eye, world));
    finish(dithered(tonemap(color)));
}
