// Ground close to the camera, if CLOSE is defined: cracks and lichen on rock, ripples of sand and snow, pebbles, and
// grains of all sizes. Functions of the place alone; what is smaller than a pixel fades with the mipmaps.
//
// Edges of lichen and pebbles are limits of values that change by up to 0.3 a texel. They are as wide as a texel, not
// less: narrower ones would be jagged, and a slightly different size of the pixel, which picks the mipmaps, would move
// them.

uniform sampler2D detail_map;    // slopes, height, another height, as landform::texture::detail

const vec3 GREY = vec3(0.3, 0.6, 0.1);

#ifdef CLOSE

uniform sampler2D rock_map;      // as landform::texture::close
uniform sampler2D pebble_map;
uniform sampler2D ripple_map;
uniform mat4 close_eye;          // the eye in the textures of rock, of pebbles, of ripples in sand and in snow
uniform mat4 close_scale;        // their textures a half tile; last the power of two of texels a half tile
uniform mat4 grain_eye;          // the same of `detail_map` as grains of four sizes, the largest first
uniform mat4 grain_scale;
uniform float metre_power;       // metres a half tile, as a power of two
uniform float bed_weight;        // 1 where places in the world are exact enough for blocks to follow the beds

const vec3 LICHEN_PALE = vec3(0.42, 0.43, 0.36);
const vec3 LICHEN_YELLOW = vec3(0.3, 0.27, 0.1);

struct Close {
    vec3 albedo;
    vec3 slope;
};

vec4 close_signed(vec4 texel) {
    return texel * (255.0 / 127.0) - 128.0 / 127.0;
}

// How much of something with a size in metres is shown to pixels of that size.
float close_part(float size, float metres) {
    return 1.0 - smoothstep(-2.5, -1.0, size + metre_power - log2(metres));
}

// Grains: two neighbouring sizes of four, so that there are new ones however near one comes. Slopes and height.
vec4 close_grains(vec3 from_eye, int axis, float size) {
    float step = grain_scale[1].w - grain_scale[0].w;
    float deep = (1.5 - size - grain_scale[0].w) / step;
    float depth = clamp(deep, 0.0, 3.999);
    int finer = int(depth);
    int coarser = max(finer - 1, 0);
    // Together as strong everywhere.
    vec2 parts = vec2(depth - float(finer), 1.0 - depth + float(finer));
    parts *= inversesqrt(dot(parts, parts));
    parts = finer == 0 ? vec2(depth, 0.0) : parts;
    vec3 fine = grain_eye[finer].xyz + from_eye * grain_scale[finer].xyz;
    vec3 coarse = grain_eye[coarser].xyz + from_eye * grain_scale[coarser].xyz;
    vec4 first = close_signed(textureLod(detail_map, across(fine, axis), size + grain_scale[finer].w + STEADY));
    vec4 other = close_signed(textureLod(detail_map, across(coarse, axis), size + grain_scale[coarser].w + STEADY));
    vec4 sum = first * parts.x + other * parts.y;
    // Of the finest, no shape is left where a texel fills the picture.
    return vec4(along(sum.xy, axis), sum.w) * (1.0 - smoothstep(5.0, 6.0, deep));
}

// The ground with this albedo, so much of it rock, snow and sand, at a place from the eye; `bed` is how much beds of
// rock are higher there.
Close close_at(vec3 from_eye, vec3 normal, vec3 albedo, float rock, float white, float sand, float bed, float size) {
    Facing facing = facing_of(normal);
    vec3 slope = vec3(0.0);

    // Blocks of rock between cracks, and lichen on their tops.
    vec3 place = close_eye[0].xyz + (from_eye + vec3(0.0, bed, 0.0)) * close_scale[0].xyz;
    float level = size + close_scale[0].w + STEADY;
    vec4 first = textureLod(rock_map, across(place, facing.most), level);
    vec4 other = textureLod(rock_map, across(place, facing.second), level);
    vec3 blocks = facing.weights.x * along(close_signed(first).xy, facing.most)
        + facing.weights.y * along(close_signed(other).xy, facing.second);
    vec2 open_spots = (facing.weights.x * first.zw + facing.weights.y * other.zw)
        / max(facing.weights.x + facing.weights.y, 1e-3);
    float spots = open_spots.y * (255.0 / 127.0) - 128.0 / 127.0;
    float open = open_spots.x;
    float of_rock = rock * close_part(size, 0.5);
    slope += of_rock * 1.5 * blocks;
    albedo *= 1.0 - of_rock * 0.75 * open;
    float tops = of_rock * smoothstep(0.25, 0.6, normal.y) * (1.0 - open);
    albedo = mix(albedo, LICHEN_PALE, tops * 0.6 * smoothstep(0.45, 0.7, spots));
    albedo = mix(albedo, LICHEN_YELLOW, tops * 0.7 * smoothstep(0.45, 0.7, -spots));
    // Soil is lighter and darker.
    float soil = (1.0 - rock) * (1.0 - white);
    albedo *= 1.0 + soil * close_part(size, 0.4) * (0.35 - 0.2 * sand) * spots;

    // What the wind does.
    bool is_snow = white > 0.5;
    place = is_snow ? close_eye[3].xyz + from_eye * close_scale[3].xyz : close_eye[2].xyz + from_eye * close_scale[2].xyz;
    vec4 ripples = close_signed(textureLod(ripple_map, place.xz, size + (is_snow ? close_scale[3].w : close_scale[2].w) + STEADY));
    vec2 of_wind = is_snow
        ? ripples.zw * (0.35 * smoothstep(0.5, 0.9, white) * close_part(size, 0.5))
        : ripples.xy * (0.5 * max(sand * (1.0 - 2.0 * white), 0.0) * close_part(size, 0.12));
    of_wind *= smoothstep(0.6, 0.9, normal.y);
    slope.xz += of_wind;

    // Pebbles lie in patches, the larger ones half in the ground.
    place = close_eye[1].xyz + from_eye * close_scale[1].xyz;
    level = size + close_scale[1].w + STEADY;
    vec4 large = textureLod(pebble_map, place.xz, level);
    vec4 small = textureLod(pebble_map, place.zx * 3.0, level + 1.585);
    float buried = 0.34 - 0.9 * spots + 0.25 * sand - 1.2 * (1.0 - normal.y);
    buried = max(buried, 0.04);
    float is_large = smoothstep(buried, buried + 0.25, large.z) * close_part(size, 0.08);
    float is_small = smoothstep(buried + 0.1, buried + 0.4, small.z) * close_part(size, 0.025);
    vec4 pebble = mix(small, large, is_large);
    float shown = soil * smoothstep(0.55, 0.8, normal.y) * max(is_large, is_small);
    float around = smoothstep(buried - 0.15, buried + 0.05, large.z) * (1.0 - is_large) * close_part(size, 0.08);
    albedo *= 1.0 - soil * smoothstep(0.55, 0.8, normal.y) * 0.35 * around;
    float tone = pebble.w;
    vec3 grey = vec3(dot(albedo, GREY));
    vec3 stone = mix(albedo, grey, 0.5 + 0.3 * tone) * mix(vec3(1.1, 1.0, 0.88), vec3(0.98, 1.0, 1.0), tone)
        * (0.5 + 0.55 * tone);
    albedo = mix(albedo, stone, shown);
    vec2 round = mix(close_signed(small).yx, close_signed(large).xy, is_large);
    slope.xz = mix(slope.xz, round * 1.3, shown);

    vec4 grains = close_grains(from_eye, facing.most, size);
    float rough = mix(1.0 + 0.6 * rock, 0.3, white);
    slope += rough * 0.55 * grains.xyz;
    albedo *= clamp(1.0 + rough * 0.35 * grains.w, 0.3, 1.7);
    return Close(albedo, slope);
}

#endif
