// Rivers and lakes over the ground of `landscape`: they mirror sky and land, and their bed is seen
// through them; the ground beside them is wet. Only for squares in which `rivers_near.frag` has found
// any; DISTANT is defined for those where all of it is too far away to mirror land. After
// common/waves.glsl, common/water_light.glsl, common/plain_ground.glsl, common/rivers.glsl,
// common/distances.glsl and common/river_places.glsl. World space, half tiles; linear light.
// DISTANT_RIVER comes from Rust: the side in cells of pixels that are as far away.

uniform vec3 eye;
uniform sampler2D ground_heights;    // with the water's surface, smooth between texels
uniform vec2 cell_fraction;          // of a tile's side, that a cell covers
uniform float river_depth;           // of its middle
uniform float wet_reach;             // how far from the water the ground is wet

const int MIRROR_STEPS = 24;
const float CALMED = 0.15;
// Rivers and lakes have ripples, but no long waves.
const float INLAND_GROWTH = 0.25;
const float WETNESS = 0.2;
// Of water far away: the mean square of the slopes of its waves, and how bright its bed is.
const float ROUGH = 4e-3;
const float BED = 0.15;

// Share of the water that is a lake.
float lake_part(River river) {
    return smoothstep(0.0, 0.02 * river_depth, river.depth);
}

// How wet the ground is beside water.
float wetness(River river) {
    float beside = (river.away - river.half_width) * tile_side.x * river_cell.x;
    return WETNESS * (1.0 - smoothstep(0.0, wet_reach, min(beside, -river.depth)));
}

#ifndef DISTANT
#ifdef CANOPY
uniform vec4 crown_heights;          // half tiles
#endif

// Height of the ground at a place of the world, with the crowns of woods that are that wide or wider.
float ground_at(vec3 world, float wide) {
    vec2 tile = place_of(world);
    vec2 size = vec2(textureSize(ground_heights, 0));
    float height = textureLod(ground_heights, (tile / cell_fraction + 0.5) / size, 0.0).r;
#ifdef CANOPY
    vec2 on_tiles = world.xz / tile_side + 0.5 * tiles;
    vec4 shares = weights_at(canopy, canopy_place, canopy_texels, on_tiles, tiles, log2(wide / tile_side.x));
    // Of a thin wood light comes through.
    height += dot(smoothstep(0.1, 0.5, shares), crown_heights);
#endif
    return height;
}

// The land that is mirrored in that direction, and how much of the mirrored rays, which `spread` by
// that angle, meet it.
vec4 land_mirrored(vec3 from, vec3 direction, float spread, float size) {
    float highest = height_range.x + 1.0 / max(height_range.y, 1e-6);
    float most = (highest - from.y) / max(direction.y, 1e-3);
    float stretch = 0.5 * tile_side.x * cell_fraction.x;
    float away = stretch;
    float before = 0.0;
    float above_before = 0.0;
    // Where the ray comes nearest to the ground, and the angle by which it passes it.
    float nearest = 1e3;
    float met = 0.0;
    for (int i = 0; i < MIRROR_STEPS && away < most && nearest > 0.0; i++) {
        vec3 place = from + direction * away;
        float above = place.y - ground_at(place, stretch);
        float crossing = mix(before, away, above_before / max(above_before - above, 1e-9));
        met = above / away < nearest ? (above < 0.0 ? crossing : away) : met;
        nearest = min(nearest, above / away);
        before = away;
        above_before = max(above, 0.0);
        stretch *= 1.25;
        away += stretch;
    }
    float part = 1.0 - smoothstep(0.0, spread, nearest);
    vec3 color = vec3(0.0);
    float found = part;
    while (found > 0.0) {
        vec3 place = from + direction * met;
        vec2 tile = place.xz / tile_side + 0.5 * tiles;
        // In rivers, which are narrow, no cover is made out.
        float sharp = max(size, log2(met * max(0.02, spread)));
        color = plain_ground(place, place - eye, tile, vec4(0.0), vec4(0.0), tiles, sharp);
        found = 0.0;
    }
    return vec4(color, part);
}
#endif

// The water at a place above a bed of that colour, seen in that direction; `sun` is how much of the sun is seen, `near`
// goes to 0 where it is far away.
vec3 water_color(River river, vec3 world, vec3 direction, vec3 bed, float sun, float size, float near) {
    float facing = max(-direction.y, 1e-3);
#ifdef DISTANT
    Waves waves = Waves(vec2(0.0), ROUGH, vec3(0.0));
#else
    // Rivers are lively; of lakes the waves grow with the depth.
    Waves waves = waves_at(world.xz, river.depth > 0.0 ? river.depth : calm_depth, INLAND_GROWTH, size);
    waves.slope *= near;
    waves.rough = mix(ROUGH, waves.rough, near);
#endif
    vec2 slope = waves.slope;
    float rough = waves.rough;
    vec3 normal = normalize(vec3(-slope.x, 1.0, -slope.y));
    float deviation = sqrt(0.5 * rough);
    float cosine = max(-dot(direction, normal), 0.01);
    float fresnel = mirrored_part(cosine, deviation);

    vec3 mirrored = reflect(direction, normal);
    mirrored.y = sqrt(mirrored.y * mirrored.y + 2.0 * rough);
    mirrored = normalize(mirrored);
    float glow = haze_phase(sun_cosine(mirrored));
    vec2 place = sky_place(mirrored);
    vec3 reflection = sky_air(place) + sky_haze(place) * glow;
    // In rivers, which are rough and narrow, no shape of a cloud is seen.
    float spread = 2.0 * deviation + mix(0.4, 0.05, lake_part(river));
    reflection = mirrored_clouds(reflection, world, mirrored, glow, spread, exp2(size) / facing);
#ifndef DISTANT
    // Waves move the mirrored land a little; as sharply as the sky, they would tear it into dots.
    vec3 even = normalize(vec3(-CALMED * slope.x, 1.0, -CALMED * slope.y));
    vec3 to_land = reflect(direction, even);
    to_land.y = sqrt(to_land.y * to_land.y + 2.0 * rough);
    vec4 land = land_mirrored(world, normalize(to_land), 2.0 * deviation + 0.05, size);
    reflection = mix(reflection, land.rgb, land.a * near);
#endif

    float sun_up = max(sun_direction.y, 0.0);
    vec3 light = sun_light * (sun_up * sun) + ambient_light(vec3(0.0, 1.0, 0.0));
#ifdef DISTANT
    float depth = river_depth;
#else
    float across = min(river.away / max(river.half_width, 1e-3), 1.0);
    // Rivers go on through lakes that they have nearly filled. So that they are no stripes there, it is as deep beside
    // them.
    float depth = max(river.depth, river_depth * max(1.0 - across * across, lake_part(river)));
    depth = mix(river_depth, depth, near);
#endif
    vec3 through = seen_through(max(depth, 0.0), cosine, sun_up);
    vec3 body = light * mix(body_color, 0.7 * bed, through);
    return mix(body, reflection, fresnel) + glitter(direction, world.xz, waves, size, facing, sun);
}

// The water's colour and how much of the pixel it covers, multiplied by that.
vec4 seen_at(float away) {
    vec3 from_eye = v_beside + v_ray * away;
    vec3 world = eye + from_eye;
    vec3 way = way_seen(v_beside, v_ray, away);
    vec3 direction = normalize(way);
    float size = pixel_size(way);
    vec2 place = place_of(world);
    float side = side_in_cells(size);
    float near = 1.0 - smoothstep(0.5 * DISTANT_RIVER, DISTANT_RIVER, side);
    float part = rivers_around(place, max(side, 1.0));
#ifdef DISTANT
    River river = River(part, 0.0, 0.0, 0.0, vec2(0.0));
    float wet = 0.0;
#else
    River river = river_at(place, side);
    part = mix(river.part, part, smoothstep(0.75, 1.5, side));
    float wet = wetness(river) * near;
#endif

    vec2 tile = world.xz / tile_side + 0.5 * tiles;
    vec3 normal = smooth_normal(tile, tiles, size);
    // What lies beside a river its water has taken away.
#ifdef DISTANT
    vec3 bed = vec3(BED);
#else
    vec3 lie = lie_at(tile, tiles, size, normal);
    Material ground = material_at(from_eye, tile, world.y, normal, lie, vec4(0.0), 0.0, 0.0, size);
    // Nor does grass grow in lakes.
    vec3 bed = mix(vec3(BED), ground.albedo, near * (1.0 - lake_part(river)));
#endif
    float sun = visibility_at(tile, tiles, size).x * cloud_shadow(world);
#ifdef CANOPY
    sun *= plant_light(from_eye);
#endif
    vec3 color = water_color(river, world, direction, bed, sun, size, near);
    vec3 clear = haze_clear(eye, world);
    color = tonemap(mix(fog_color(direction), color, clear));
    color = invert ? 1.0 - color : color;

    // Wet ground is darker.
    float shade = (1.0 - part) * wet * clear.g;
    return vec4(color * part + (invert ? shade : 0.0), part + shade);
}

void main() {
    out_color = seen();
    out_color.rgb *= ground_part();
}
