// Water: what it mirrors, what is seen through it, and the sun's glitter on its waves. Waves
// that are too small to be seen leave a roughness (Bruneton et al. 2010). World space, half tiles.

in vec3 v_offset;                // from the eye
in vec3 v_fog;

uniform bool parallel;           // seen from straight above, else by the rays of pixels
uniform vec3 first_ray, ray_right, ray_up;   // of the corner, and from pixel to pixel

uniform vec3 eye;
uniform float level;
uniform float tiles;
uniform vec2 cell_fraction;
uniform sampler2D ground_heights;    // as `heights`, smooth between texels
uniform sampler2D waves;         // as landform::texture::waves
uniform vec3 wave_sides;         // half tiles a texture: waves, ripples, the finest
uniform vec3 wave_slopes;        // slopes that 1 in the texture stands for
uniform vec4 wave_drift;         // of the ripples and of the finest, half tiles
uniform float calm_depth;        // where waves are full
uniform vec3 absorption;         // 1 / half tiles
uniform vec3 bottom_color;
uniform bool has_shadows;
uniform float foam_depth;        // up to which waves break
uniform vec3 body_color;         // what deep water sends back of white light
uniform sampler2D mirror_color;  // the ground mirrored; 0 where there is none
uniform sampler2D mirror_depth;
uniform vec4 mirror_place;       // scale and offset from pixels of the picture
uniform vec2 mirror_depths;      // near and far plane
uniform float mirror_reach;      // farthest shift in a mirrored picture, pixels
uniform vec2 screen_right;       // x and z of the picture's right

const float SLOPES_SQUARE = 2.0;     // in units of wave_slopes squared

// Of one size of waves the slopes, how much of their square is too fine to be seen, and the height.
vec4 wave(vec2 place, float side, float slope, float footprint) {
    vec4 texel = textureLod(waves, place / side, footprint - log2(side / 256.0));
    vec2 slopes = (texel.rg * (255.0 / 127.0) - 128.0 / 127.0) * slope;
    float fine = max(texel.a * SLOPES_SQUARE * slope * slope - dot(slopes, slopes), 0.0);
    return vec4(slopes, fine, texel.b * 2.0 - 1.0);
}

// Height of the ground above the water, at a place on the tiles.
float ground_above(vec2 tile) {
    vec2 local = tile - min(floor(tile), tiles - 1.0);
    vec2 size = vec2(textureSize(ground_heights, 0));
    return textureLod(ground_heights, (local / cell_fraction + 0.5) / size, 0.0).r - level;
}

// Beyond the tiles the sea floor sinks.
float water_depth(vec2 tile) {
    vec2 inside = clamp(tile, 0.0, tiles);
    float beyond = length((tile - inside) * tile_side);
    return max(-ground_above(inside), 0.0) + 0.4 * beyond;
}

// Clouds as rough water mirrors them: the rougher, the softer. `spread` is in radians.
vec3 mirrored_clouds(vec3 sky, vec3 place, vec3 direction, float glow, float spread) {
    float far = cloud_distance(place.y, direction.y);
    vec2 at = (place.xz + direction.xz * far) / cloud_period + cloud_offset;
    float level = clamp(log2(spread * far * 80.0), 0.0, 7.0);
    float amount = cloud_amount(textureLod(cloud_cover, at, level).r);
    float clear = exp2(-far * 0.11) * smoothstep(0.0, 0.06, direction.y);
    float thin = (1.0 - amount) * (1.0 - amount);
    vec3 color = cloud_light * (0.67 - 0.26 * amount + 1.2 * glow * thin)
        + ambient_0 * (1.5 - 0.7 * amount);
    return mix(sky, color, (1.0 - thin * thin) * clear);
}

// How much of the sun is seen. Shadows go on beyond the tiles, as long as the land is high.
float water_sun(vec2 tile) {
    vec2 toward = sun_heading / tile_side;
    vec2 to_low = -tile / toward;
    vec2 to_high = (tiles - tile) / toward;
    vec2 nearest = min(to_low, to_high);
    vec2 farthest = max(to_low, to_high);
    float enter = max(max(nearest.x, nearest.y), 0.0);
    float leave = min(farthest.x, farthest.y);
    float slant = length(sun_direction.xz) / max(sun_direction.y, 0.02);
    vec2 border = clamp(tile + toward * enter, 0.0, tiles);
    vec2 place = border - min(floor(border), tiles - 1.0);
    float seen = textureLod(visibility, place * visibility_place.xy + visibility_place.zw, 1.0).r;
    // On the tiles that is all. Beyond, the border itself may be high.
    float high = height_range.x + 1.0 / max(height_range.y, 1e-6) - level;
    float gone = smoothstep(0.0, 0.6 * high * slant, enter);
    float cliff = max(ground_above(border), 0.0) * slant;
    float passed = clamp((enter - 0.9 * cliff) / (0.2 * cliff + 1e-4), 0.0, 1.0);
    return !has_shadows || enter >= leave ? 1.0 : enter == 0.0 ? seen : mix(seen, 1.0, gone) * passed;
}

// What part of the way to the mirrored land lies beyond the water, which is that far along the
// view; 1 where there is none.
float beyond_water(vec2 at, float water) {
    float stored = textureLod(mirror_depth, at, 0.0).r * 2.0 - 1.0;
    float range = mirror_depths.y - mirror_depths.x;
    float land = 2.0 * mirror_depths.x * mirror_depths.y
        / (mirror_depths.y + mirror_depths.x - stored * range);
    return 1.0 - clamp(water / land, 0.0, 1.0);
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

    // Waves, flatter in shallow water.
    mat2 turn = mat2(0.8, 0.6, -0.6, 0.8);
    vec4 large = wave(world.xz, wave_sides.x, wave_slopes.x, footprint);
    vec4 ripples = wave(turn * world.xz + wave_drift.xy, wave_sides.y, wave_slopes.y, footprint);
    vec4 finest = wave(world.zx + wave_drift.zw, wave_sides.z, wave_slopes.z, footprint);
    float swell = mix(0.3, 1.0, smoothstep(0.0, calm_depth, depth));
    vec2 slope = (large.xy + ripples.xy * turn + finest.yx) * swell;
    float rough = (large.z + ripples.z + finest.z) * swell * swell + 2e-5;
    vec3 normal = normalize(vec3(-slope.x, 1.0, -slope.y));

    // How much is mirrored.
    float deviation = sqrt(0.5 * rough);
    float cosine = max(-dot(direction, normal), 0.01);
    float fresnel = 0.02 + 0.98 * pow(1.0 - cosine, 5.0 * exp(-2.69 * deviation))
        / (1.0 + 22.7 * deviation * sqrt(deviation));

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

    // The land that is mirrored: shifted by the waves, the less the nearer it is.
    vec2 at = pixel * mirror_place.xy + mirror_place.zw;
    float part = beyond_water(at, view_distance);
    vec2 shift = vec2(-2.0 * facing * dot(slope, screen_right), -2.0 * dot(slope, along));
    // Of rough water, what is somewhat higher, as of the sky.
    shift.y -= 1.6 * deviation;
    vec2 moved = clamp(shift * (part / pixel_angle), -mirror_reach, mirror_reach);
    at += moved * mirror_place.xy;
    // Land on this side of the water is not mirrored.
    vec4 land = textureLod(mirror_color, at, 0.0) * step(1e-4, beyond_water(at, view_distance));
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
    float gathered = 1.0 + 0.5 * (large.w + ripples.w) * smoothstep(0.0, 0.1 * calm_depth, depth);
    vec3 body = light * mix(body_color, bottom_color * gathered, through);

    // Glitter: the part of the waves that mirror the sun.
    vec3 half_way = normalize(sun_direction - direction);
    vec2 needed = -half_way.xz / max(half_way.y, 0.05) - slope;
    float spot = rough + 1.2e-3;
    float upright = half_way.y * half_way.y;
    float glitter = exp(-dot(needed, needed) / spot)
        / (4.0 * spot * upright * upright * max(facing, 0.06));
    float sun_fresnel = 0.02 + 0.98 * pow(1.0 - max(dot(half_way, sun_direction), 0.0), 5.0);
    vec3 sparkle = sun_light * (sun * min(sun_fresnel * glitter, 60.0) * step(0.0, sun_direction.y));

    vec3 color = mix(body, reflection, fresnel) + sparkle;
    float breaking = foam_depth * (1.0 + 0.8 * large.w + 0.8 * ripples.w);
    float foam = 1.0 - smoothstep(0.3 * breaking, breaking, depth);
    foam *= smoothstep(-0.2, 0.8, finest.w + 0.6 * ripples.w + 0.6 * foam);
    color = mix(color, 0.75 * light, 0.8 * foam);
    color = mix(fog, color, haze_clear(eye, world));
    finish(dithered(tonemap(color)));
}
