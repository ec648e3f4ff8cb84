// Plants seen from far away as a part of the ground's material, if CANOPY is defined (Bruneton and Neyret 2012): the
// share of the ground under crowns, and how much of them is seen, and lit, from a direction. After common/covers.glsl,
// common/smooth_normal.glsl and common/material.glsl.

#ifdef CANOPY

uniform sampler2D canopy;          // share of the ground under the crowns of four layers, the lowest first
uniform vec4 canopy_place;         // scale and offset from place in a tile to texture coordinates
uniform float canopy_texels;       // across a tile, as a power of two
uniform mat4 crown_colors;         // of each layer: albedo, and height of a crown's side from the side, over that from above
uniform mat4 turned_crowns;        // difference of the albedo where all leaves have turned to none, and the share that has
uniform mat4 floor_colors;         // the ground under it, and how much of the ground that is
uniform vec4 crown_rough;          // strength of light and dark
uniform vec4 crown_holds;          // share that snow hides at most
uniform vec4 crown_place;          // the eye in the texture of crowns, and textures a half tile, eastwards and southwards
uniform vec4 stand_place;          // the same, southwards first, for stands of crowns in the texture of details
uniform float crown_level;         // texels a half tile, as a power of two
uniform float crown_mean;          // mean of its heights, 0..1
#ifdef CLOSE
#define crown_map pebble_map
#else
uniform sampler2D crown_map;       // rounded things that lie close together, as landform::texture::close::pebbles
#endif

// By how much the brightest and darkest crowns are ahead and behind in autumn.
const float LEAD = 1.5;

struct Crowns {
    vec3 albedo;
    vec2 slope;        // of the crowns, eastwards and southwards
    float seen;        // how much of the ground they hide
    float height;      // within the canopy, 0..1 with a mean of 0.5
    float sunny;       // how much of what is seen of them the sun sees
    vec2 below;        // of sun and sky, how much the ground between them sees
    vec4 ground;       // its albedo, and how much of it has that
    float single;      // how many of the plants are drawn one by one
};

// Of crowns with those shares of the ground, how much each layer hides of ground with this normal from a direction: the
// more the flatter one looks. Crowns are as wide as they are from above, and as high as from the side.
vec4 crowns_hide(vec4 shares, vec3 normal, vec3 direction) {
    vec4 high = vec4(crown_colors[0].a, crown_colors[1].a, crown_colors[2].a, crown_colors[3].a);
    float level = length(direction.xz);
    vec4 across = sqrt(direction.y * direction.y + high * high * level * level);
    vec4 more = across * normal.y / max(dot(direction, normal), 0.05);
    return 1.0 - exp2(log2(1.0 - min(shares, 0.99)) * clamp(more, 1.0, 12.0));
}

// The crowns that way from the eye, on ground of this normal, where such shares of the layers are drawn one by one; snow
// hides `cover` of the ground, and `size` is that of a pixel, as `pixel_size`.
Crowns crowns_at(vec3 from_eye, vec4 single, vec2 tile, float tiles, vec3 normal, float cover, float size) {
    vec4 shares = weights_at(canopy, canopy_place, canopy_texels, tile, tiles, size - log2(tile_side.x));
    vec3 towards_eye = -normalize(from_eye);
    vec4 hides = crowns_hide(shares, normal, towards_eye);

    // Crowns, and stands of them, which hide the repetition.
    vec2 place = crown_place.xy + from_eye.xz * crown_place.zw;
    vec4 crown = textureLod(crown_map, place, size + crown_level + STEADY);
    vec2 stand_at = stand_place.xy + from_eye.zx * stand_place.zw;
    vec2 stand = textureLod(detail_map, stand_at, size + crown_level + STEADY - 2.868).zw * (255.0 / 127.0) - 128.0 / 127.0;
    vec2 tone = vec2(crown.w, 0.0) * (255.0 / 127.0) - vec2(128.0 / 127.0, 0.0);
    float height = clamp(0.5 + 0.8 * (crown.z - crown_mean) + 0.25 * stand.x, 0.0, 1.0);
    float spots = 2.0 * (height - 0.5) + 1.2 * stand.y;
    hides = clamp(hides + 3.0 * spots * hides * (1.0 - hides), 0.0, 1.0);

    // Single plants take the place of what is near.
    hides *= 1.0 - single;

    Crowns crowns;
    crowns.single = dot(shares, single) / max(dot(shares, vec4(1.0)), 1e-4);
    crowns.albedo = vec3(0.0);
    crowns.seen = 0.0;
    crowns.ground = vec4(0.0);
    float rough = 0.0;
    float white = 0.0;
    float snow = crown_snow(cover);
    for (int i = 0; i < 4; i++) {
        vec4 turned = turned_crowns[i];
        // Crowns turn one after the other: those that are bright have a lead.
        float lead = clamp(4.0 * turned.a * (1.0 - turned.a) * LEAD * tone.x, -turned.a, 1.0 - turned.a);
        crowns.albedo = mix(crowns.albedo, crown_colors[i].rgb + turned.rgb * lead, hides[i]);
        rough = mix(rough, crown_rough[i], hides[i]);
        white = mix(white, crown_holds[i] * snow, hides[i]);
        crowns.seen = mix(crowns.seen, 1.0, hides[i]);
        float on_ground = min(1.5 * shares[i], 1.0) * floor_colors[i].a;
        crowns.ground = mix(crowns.ground, vec4(floor_colors[i].rgb, 1.0), on_ground);
    }
    float scale = 1.0 / max(crowns.seen, 1e-4);
    rough *= scale;
    crowns.albedo *= scale * max(1.0 + rough * (0.4 * tone.x + 0.5 * stand.y), 0.3);
    crowns.albedo = mix(crowns.albedo, SNOW, scale * white);
    crowns.ground.rgb /= max(crowns.ground.a, 1e-4);
    crowns.slope = (crown.xy * (255.0 / 127.0) - 128.0 / 127.0) * rough;
    crowns.height = mix(0.5, height, rough);

    // Shade between crowns: none is seen where one looks along the light.
    vec4 dark = crowns_hide(shares, normal, sun_direction);
    vec4 lit = 1.0 - dark;
    float gaps = lit.x * lit.y * lit.z * lit.w;
    float hot = 0.5 + 0.5 * dot(towards_eye, sun_direction);
    hot *= hot;
    float mutual = 1.0 / (1.0 - 0.5 * log(max(gaps, 1e-4)));
    crowns.sunny = mix(mutual, 1.0, hot);
    vec4 open = 1.0 - shares;
    float sky = open.x * open.y * open.z * open.w;
    crowns.below = vec2(mix(gaps, 1.0, hot * hot * hot), mix(0.3, 1.0, sky));
    return crowns;
}

// Light on crowns of which so much of sun and sky is seen.
vec3 crown_light(Crowns crowns, vec3 from_eye, vec3 normal, vec2 seen) {
    // A ball in the light, seen from its side: its mean over what is seen.
    float cosine = clamp(-dot(normalize(from_eye), sun_direction), -1.0, 1.0);
    float angle = acos(cosine);
    float ball = 0.2122 * (sqrt(1.0 - cosine * cosine) + (3.14159265 - angle) * cosine);
    float level = max(dot(normalize(normal + vec3(0.0, 0.5, 0.0)), sun_direction), 0.0);
    float faces = mix(level, ball, 0.6) * smoothstep(-0.15, 0.2, dot(normal, sun_direction));
    faces *= clamp(1.0 - 1.5 * dot(crowns.slope, sun_direction.xz), 0.2, 1.8);
    float sun = seen.x * crowns.sunny * faces * (0.9 + 1.8 * crowns.height);
    float sky = seen.y * (0.65 + 0.8 * crowns.height);
    return sun_light * sun + ambient_light(normalize(normal + vec3(0.0, 1.0, 0.0))) * sky;
}

#endif
