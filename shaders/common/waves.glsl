// The waves of water, of three sizes, the longer ones where they have grown. In: places on the plane of water, half tiles. Out: slopes, and
// how much of them is too fine to be seen, which is a roughness (Bruneton et al. 2010). WAVES_SIDE,
// SLOPES_SQUARE, FINER and STEADY come from Rust.

uniform sampler2D waves;         // as landform::texture::waves
uniform vec3 wave_sides;         // half tiles a texture: waves, ripples, the finest
uniform vec3 wave_slopes;        // slopes that 1 in the texture stands for
uniform vec4 wave_drift;         // of the ripples and of the finest, half tiles
uniform float calm_depth;        // where waves are full

struct Waves {
    vec2 slope;      // along x and z
    float rough;     // mean square of the slopes that are too fine to be seen
    vec3 heights;    // of waves, ripples and the finest, each -1..1
};

// Of one size of waves the slopes, how much of their square is too fine to be seen, and the height.
vec4 wave(vec2 place, float side, float slope, float footprint) {
    vec4 texel = textureLod(waves, place / side, footprint + STEADY - log2(side / WAVES_SIDE));
    vec2 slopes = (texel.rg * (255.0 / 127.0) - 128.0 / 127.0) * slope;
    float fine = max(texel.a * SLOPES_SQUARE * slope * slope - dot(slopes, slopes), 0.0);
    return vec4(slopes, fine, texel.b * 2.0 - 1.0);
}

// The waves at a place of that depth, flatter in shallow water, where they have grown to that height; `footprint` is the
// size of a pixel as a power of two.
Waves waves_at(vec2 place, float depth, float growth, float footprint) {
    mat2 turn = mat2(0.8, 0.6, -0.6, 0.8);
    vec4 large = wave(place, wave_sides.x, wave_slopes.x, footprint);
    vec4 ripples = wave(turn * place + wave_drift.xy, wave_sides.y, wave_slopes.y, footprint);
    vec4 finest = wave(place.yx + wave_drift.zw, wave_sides.z, wave_slopes.z, footprint);
    float swell = mix(0.3, 1.0, smoothstep(0.0, calm_depth, depth));
    // JONSWAP: lengths grow with the cube root of the squared fetch, heights with its square root.
    vec3 grown = smoothstep(0.0, 1.0, pow(growth, 4.0 / 3.0) * vec3(1.0, FINER, FINER * FINER));
    vec3 shown = grown * swell;
    vec2 slope = large.xy * shown.x + ripples.xy * turn * shown.y + finest.yx * shown.z;
    float rough = dot(vec3(large.z, ripples.z, finest.z), shown * shown) + 2e-5;
    return Waves(slope, rough, vec3(large.w, ripples.w, finest.w) * grown);
}
