// What the ground is made of: colour by height and slope, and what lies between the samples. World space.
// SAND, SNOW, DETAIL_SIDE, DETAIL_REPEATS and STEADY come from Rust.

uniform sampler2D materials;     // linear light; across by height, up by steepness
uniform vec2 height_range;       // lowest height, 1 / (highest - lowest) or 0
uniform vec2 rock;               // the normal's y where all is rock and where none is
uniform vec3 snow;               // height where it begins, how far sides and slopes move it
uniform vec3 shore;              // height of the sea, of the end of the sand; 1 if there is sand
uniform mat3 detail_eye;         // the eye in the textures of spots, stones and grains
uniform float roughness;
uniform float cell;              // half tiles from sample to sample

// How much of the ground at a height is sand.
float sand_part(float height, float spots) {
    return shore.z * (1.0 - smoothstep(shore.x, shore.y, height + (shore.y - shore.x) * 0.5 * spots));
}

// The height whose colours ground at a height has by its unit normal, all 0..1, as
// landform::texture::Snow.
float seen_height(float height, vec3 normal) {
    float shaded = height - snow.y * normal.z;
    float slid = shaded - snow.z * (1.0 - normal.y * normal.y);
    return min(shaded, max(slid, snow.x));
}

uniform sampler2D bed_map;       // along y the beds of steep ground: brightness, how much they lean, height, another;
                                 // those of rock, or without rock the texture of details again
uniform mat3 bed_sizes;          // of rock, for two sizes, textures a half tile and the place of the first bed; for
                                 // both, level of the texture for a pixel of 1. Last the y of normals with all and
                                 // without beds, and how much their brightness shows
uniform mat4 folds;              // periods eastwards and southwards, phase and height of three folds; last the tilt
                                 // of rock eastwards and southwards, 1 if it is a wave, and 1 if there is rock

struct Material {
    vec3 albedo;
    vec3 normal;
    float wet;       // 0..1
};

// Brightness of wet ground: light is reflected back into it at its surface (Lekner and Dorf 1988).
const float WET = 0.47;

// As `sine` in landform::fractal::bedrock.
vec3 bed_sine(vec3 turns) {
    vec3 part = turns - round(turns);
    return 8.0 * part - 16.0 * part * abs(part);
}

// -1..1, at a place in textures; `repeat` is cells a texture.
vec4 detail_at(vec2 place, float repeat, float footprint) {
    float level = footprint + STEADY - log2(repeat / DETAIL_SIDE);
    return textureLod(detail_map, place, level) * (255.0 / 127.0) - 128.0 / 127.0;
}

// By biplanar mapping. The slopes come as a vector in space, with the height.
vec4 detail_around(vec3 place, vec3 normal, float repeat, float footprint) {
    Facing facing = facing_of(normal);
    vec4 first = detail_at(across(place, facing.most), repeat, footprint);
    vec4 other = detail_at(across(place, facing.second), repeat, footprint);
    return facing.weights.x * vec4(along(first.xy, facing.most), first.z)
        + facing.weights.y * vec4(along(other.xy, facing.second), other.z);
}

// Farthest shift of a border of snow or of another cover, in cells.
const float RAGGED = 6.0;

// Borders of covers follow the roughness of the ground, which the map does not resolve: offset, counted in tiles, of the
// place whose cover ground with this normal has. It fades where it is smaller than a pixel, and on walls, where borders
// would run down in streaks.
vec2 ragged_offset(vec3 from_eye, vec3 normal, vec2 side, float size) {
    vec2 place = detail_eye[1].xz + from_eye.xz / (cell * DETAIL_REPEATS.y);
    vec2 shift = detail_at(place, DETAIL_REPEATS.y, size - log2(cell)).zw;
    return shift * (min(2.0 * roughness, 1.0) * RAGGED * cell * normal.y * normal.y) / side;
}

// Share of rock on ground with this normal. `spots`, whose mean is 0, break up the borders of materials.
float steep_part(vec3 lie, float spots) {
    return 1.0 - smoothstep(rock.x, rock.y, lie.y + 0.05 * spots);
}

// How white ground is of which the map says that snow hides so much, with a unit normal of its own: steep parts that are
// finer than the map are bare, and gentle ones are white. As landform::shading::material.
float snow_part(float cover, vec3 normal, float spots) {
    return smoothstep(0.15, 0.6, cover + min(cover, 0.5) * (1.6 * (normal.y - 0.75) + 0.5 * spots));
}

// How far the beds are bent at a place, as `Folds` in landform::fractal::bedrock.
float bend_at(vec2 place) {
    float first = bed_sine(vec3(dot(folds[0].xy, place) + folds[0].z)).x;
    float second = bed_sine(vec3(dot(folds[1].xy, place) + folds[1].z + 0.5 * first)).x;
    float third = bed_sine(vec3(dot(folds[2].xy, place) + folds[2].z + 0.5 * (first + second))).x;
    return first * folds[0].w + second * folds[1].w + third * folds[2].w;
}

// By how much beds of rock are lower since they are tilted.
float tilt_at(vec2 place) {
    vec2 off = place - 0.5;
    return dot(mix(off, bed_sine(vec3(off, 0.0)).xy, folds[3].z), folds[3].xy);
}

// How far beds stand out from steep faces.
const float LEDGES = 0.8;

// Albedo of the ground at a height, without stones and grains, as landform::shading::material.
vec3 ground_albedo(float above, vec3 lie, float steep, vec4 weights, float white, float spots) {
    float height = (above - height_range.x) * height_range.y;
    float seen = seen_height(height + 0.05 * spots, lie);
    vec3 albedo = texture(materials, vec2(seen, 0.25 + 0.5 * steep)).rgb;
    // Where a cover fades it lies in spots.
    weights = clamp(weights + 1.6 * spots * weights * (1.0 - weights), 0.0, 1.0);
    albedo = under_covers(albedo, weights);
    albedo = mix(albedo, SAND, sand_part(above, spots) * (1.0 - steep));
    albedo = mix(albedo, SNOW, white);
    // Nature's colours are pale.
    return mix(vec3(dot(albedo, GREY)), albedo, 0.8);
}

// The material `from_eye`, at a place counted in tiles and at the height `above`, under covers of these weights and
// under snow that hides so much, where waves run up to a height above the sea; `normal` is the smooth one, `lie` the one by which snow and rock lie, see `lie_at`;
// `size` is that of a pixel, as `pixel_size`.
Material material_at(vec3 from_eye, vec2 tile, float above, vec3 normal, vec3 lie, vec4 weights, float snow_cover,
    float run_up, float size) {
    float footprint = size - log2(cell);
    // Places in the world are too coarse: near the eye many pixels would have the same.
    vec3 cells = from_eye / cell;
    vec3 repeats = DETAIL_REPEATS;
    vec3 stone = detail_eye[1] + cells / repeats.y;
    vec3 grain = detail_eye[2] + cells / repeats.z;
    // Wide spots, and on steep faces, where they would be streaks, the beds of the rock: bands by height.
    float side = 1.0 - smoothstep(bed_sizes[2].x, bed_sizes[2].y, normal.y);
    vec3 spot = detail_eye[0] + cells / repeats.x;
    vec2 in_tile = fract(tile);
    float bend = bend_at(mix(spot.xz, in_tile, folds[3].w));
    vec2 height = mix(vec2(spot.y, stone.y) + bend / repeats.xy,
        (above + bend + tilt_at(in_tile)) * vec2(bed_sizes[0].x, bed_sizes[1].x) + vec2(bed_sizes[0].y, bed_sizes[1].y),
        folds[3].w);
    vec4 bed = textureLod(bed_map, vec2(0.5, height.x), size + bed_sizes[0].z)
        + textureLod(bed_map, vec2(spot.x + spot.z, height.y), size + bed_sizes[1].z);
    bed = bed * (255.0 / 127.0) - 256.0 / 127.0;
    vec4 wide = mix(detail_at(spot.xz, repeats.x, footprint), bed, side);
    // Stones, and what lies on them.
    vec4 stones = detail_around(stone, normal, repeats.y, footprint);
    vec4 grains = detail_around(grain.zyx, normal.zyx, repeats.z, footprint);
    float spots = wide.w * 0.5 + stones.w * 0.6 + grains.w * 0.4;

    float white = snow_part(snow_cover, normal, spots);
    float steep = steep_part(lie, spots);
    vec3 albedo = ground_albedo(above, lie, steep, weights, white, spots);
    steep *= 1.0 - white;
    albedo *= 1.0 + steep * bed_sizes[2].z * bed.x;
    // What waves reach is wet: darker and smoother.
    float ashore = above - shore.x - 0.3 * spots * run_up;
    float wet = run_up > 0.0 ? (1.0 - smoothstep(0.5 * run_up, run_up, ashore)) * (1.0 - white) : 0.0;
    albedo *= mix(1.0, WET, wet);

    // Snow and sand are smoother than rock.
    float bright = dot(albedo, GREY);
    float rough = roughness * mix(mix(0.6, 0.2, smoothstep(0.3, 0.7, bright)), 1.0, steep) * (1.0 - 0.7 * wet);
    float light_and_dark = 0.8 * stones.w + 0.6 * grains.w + 0.5 * wide.z;
    albedo *= clamp(1.0 + rough * light_and_dark, 0.3, 1.7);
    vec3 slope = stones.xyz * 1.4 + grains.zyx + vec3(0.0, side * LEDGES * wide.y, 0.0);
    slope *= rough * 2.2;
#ifdef CLOSE
    float warm = smoothstep(0.03, 0.12, albedo.r - albedo.b) * smoothstep(0.0, 0.03, albedo.r - albedo.g)
        * smoothstep(0.1, 0.2, bright);
    float sand = max(sand_part(above, spots), warm) * (1.0 - steep) * (1.0 - white);
    float bed_height = folds[3].w * bed_weight * (bend + tilt_at(in_tile));
    Close close = close_at(from_eye, normal, albedo, steep, white, sand, bed_height, size);
    albedo = mix(albedo, close.albedo, min(2.0 * roughness, 1.0));
    slope += 2.0 * roughness * close.slope;
#endif
    return Material(albedo, normalize(normal - slope), wet);
}
