// The ground as it is photographed, from its distances. After common/distances.glsl.

uniform float tiles;
uniform vec3 eye;
uniform float run_up;            // height above the sea that waves reach at the longest fetch; 0 without sea

// What wet ground mirrors of sun and sky: a film of water, as rough as sand.
vec3 gloss(vec3 normal, vec3 direction, float sun, float sky) {
    const float SHARP = 60.0;
    float fresnel = 0.02 + 0.98 * pow(1.0 - max(-dot(direction, normal), 0.0), 5.0);
    vec3 mirrored = reflect(direction, normal);
    float facet = max(dot(normal, normalize(sun_direction - direction)), 0.0);
    float glint = (SHARP + 2.0) / 8.0 * pow(facet, SHARP) * step(0.0, sun_direction.y);
    return fresnel * (ambient_light(mirrored) * sky + sun_light * (min(glint, 4.0) * sun));
}

vec4 seen_at(float away) {
    vec3 from_eye = v_beside + v_ray * away;
    vec3 world = eye + from_eye;
    vec2 tile = world.xz / tile_side + 0.5 * tiles;
    vec3 way = way_seen(v_beside, v_ray, away);
    float size = pixel_size(way);
    Surface surface = surface_at(tile, tiles, way, size);
    vec3 mean = surface.normal;
    float length_of_mean = max(length(mean), 0.2);
    vec3 normal = mean / length_of_mean;
    vec2 ragged = tile + ragged_offset(from_eye, normal, tile_side, size);
    vec4 weights = covers_at(ragged, tiles, size - log2(tile_side.x));
    float snow_cover = normal_and_snow(ragged, tiles, size).w;
    vec3 lie = lie_at(tile, tiles, size, normal);
    float reach = run_up;
    if (reach > 0.0 && world.y < shore.x + 1.5 * reach) {
        reach *= wave_growth(tile, tiles);
    }
    Material material = material_at(from_eye, tile, world.y, normal, lie, weights, snow_cover, reach, size);
    vec2 seen = surface.seen;
    float sun = seen.x * cloud_shadow(world);
#ifdef CANOPY
    Crowns crowns = crowns_at(from_eye, plants_single(from_eye), tile, tiles, normal, surface.snow, size);
    vec3 of_crowns = crowns.albedo * crown_light(crowns, way, normal, vec2(sun, seen.y));
    float bare = 1.0 - snow_part(surface.snow, normal, 0.0);
    material.albedo = mix(material.albedo, crowns.ground.rgb, crowns.ground.a * bare);
    sun *= mix(crowns.below.x, 1.0, crowns.single) * plant_light(from_eye);
    seen.y *= crowns.below.y;
#endif
    float facing = max(dot(material.normal, sun_direction), 0.0) * length_of_mean;
    vec3 light = sun_light * (facing * sun) + ambient_light(material.normal) * seen.y
        + ground_light(material.albedo, 1.0 - seen.y);
    vec3 direction = normalize(way);
    vec3 shown = material.albedo * light;
    if (material.wet > 0.0) {
        shown += material.wet * gloss(material.normal, direction, sun, seen.y);
    }
#ifdef CANOPY
    shown = mix(shown, of_crowns, crowns.seen);
#endif
    vec3 color = mix(fog_color(direction), shown, haze_clear(eye, world));
    return vec4(tonemap(color), 1.0);
}

void main() {
    finish(dithered(seen().rgb));
    out_color *= ground_part();
}
