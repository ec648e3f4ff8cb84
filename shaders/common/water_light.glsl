// What water mirrors of sky and sun, and what is seen through it. After common/sky.glsl,
// common/clouds.glsl, common/tonemap.glsl and common/waves.glsl. World space, half tiles; linear light.

uniform vec3 absorption;         // 1 / half tiles
uniform vec3 body_color;         // what deep water sends back of white light

// How much is mirrored, by the cosine of the view to the water and the deviation of its slopes.
float mirrored_part(float cosine, float deviation) {
    return 0.02 + 0.98 * pow(1.0 - cosine, 5.0 * exp(-2.69 * deviation))
        / (1.0 + 22.7 * deviation * sqrt(deviation));
}

// Smith masking of a Beckmann surface: the rational fit of Walter et al. 2007, times the cosine.
float masked(float cosine, float rough) {
    float a = min(cosine * inversesqrt(max((1.0 - cosine * cosine) * rough, 1e-9)), 1.59);
    return cosine * (1.0 - 1.259 * a + 0.396 * a * a) / (3.535 * a + 2.181 * a * a);
}

// A random slope of a facet in the pixel at `place`, whose size is a power of two: fixed to the water,
// with a mean square of 1.
vec2 facet(vec2 place, float size) {
    float cell = exp2(floor(max(size, log2(wave_sides.z) - 6.0)));
    uvec2 at = uvec2(ivec2(floor((place + wave_drift.zw) / cell)));
    uint hash = (at.x * 73856093u) ^ (at.y * 19349663u);
    hash = (hash ^ (hash >> 15)) * 2246822519u;
    hash = (hash ^ (hash >> 13)) * 3266489917u;
    hash ^= hash >> 16;
    vec4 random = vec4(hash & 255u, (hash >> 8) & 255u, (hash >> 16) & 255u, hash >> 24) / 255.0;
    return (random.xy + random.zw - 1.0) * 1.732;
}

// Least share of the slopes' variance that a pixel averages, up to all of it for pixels as large as a wave.
const float AVERAGED = 0.2;
// Variance of the sun's disc and of the capillary waves.
const float FINEST_ROUGH = 6e-4;
// Brightness from which glitter is compressed.
const float SHOULDER = 0.8;

// Sun glitter: the microfacet BRDF of a sea with Gaussian slopes (Cox and Munk 1954; Bruneton et al.
// 2010), under that part of the sun. A small pixel shows one facet of the unresolved waves, drawn at
// random, so that the path breaks up into glints; a large one shows their mean.
vec3 glitter(vec3 direction, vec2 place, Waves sea, float size, float facing, float sun) {
    vec3 half_way = normalize(sun_direction - direction);
    float upright = max(half_way.y, 0.05);
    float averaged = clamp(4.0 * exp2(size) / wave_sides.x, AVERAGED, 1.0);
    vec2 slope = sea.slope + facet(place, size) * sqrt(sea.rough * (1.0 - averaged));
    vec2 off = -half_way.xz / upright - slope;
    float lobe = sea.rough * averaged + FINEST_ROUGH;
    float facets = exp(-dot(off, off) / lobe) / (lobe * upright * upright * upright * upright);
    float rough = sea.rough + FINEST_ROUGH;
    float sun_up = max(sun_direction.y, 1e-3);
    float cosines = masked(facing, rough) + facing * (1.0 + masked(sun_up, rough) / sun_up);
    float fresnel = 0.02 + 0.98 * pow(1.0 - max(dot(half_way, sun_direction), 0.0), 5.0);
    vec3 light = sun_light * (sun * fresnel * facets / (4.0 * cosines) * step(0.0, sun_direction.y));
    // Glints exceed any exposure; a logarithmic shoulder keeps their order.
    float bright = luminance(light) / SHOULDER + 1e-6;
    return light * (log(1.0 + bright) / bright);
}

// What is left of each colour on the way down and up again. Light goes slanted as Snell has it.
vec3 seen_through(float depth, float cosine, float sun_up) {
    float path = depth * (inversesqrt(1.0 - 0.57 * (1.0 - cosine * cosine))
        + inversesqrt(1.0 - 0.57 * (1.0 - sun_up * sun_up)));
    return exp(-absorption * path);
}

// Way from where the view meets the water to where the light that comes back from below has entered it, on level water:
// as far as view and light, both refracted, run down to the bottom, or to the mean depth from which light comes back.
vec3 depth_parallax(float depth, vec3 direction) {
    float clear = 0.5 / absorption.g;
    float down = clear * (1.0 - exp(-depth / clear));
    vec2 view = direction.xz * inversesqrt(1.78 - dot(direction.xz, direction.xz));
    vec2 light = sun_direction.xz * inversesqrt(1.78 - dot(sun_direction.xz, sun_direction.xz));
    vec2 way = (view + light) * down;
    return vec3(way.x, 0.0, way.y);
}

// Directions in which rough water mirrors clouds.
const int CLOUD_TAPS = 6;

// Clouds as rough water mirrors them: their mean over the lobe, whose width `spread` is in radians, and over `footprint`, the
// length of a pixel on the water. Facets that lean to or from the eye turn what is mirrored by twice their slope, those that
// lean aside by far less where the view is flat, so the lobe is long and narrow: directions one above the other, each with
// the clouds across it.
vec3 mirrored_clouds(vec3 sky, vec3 place, vec3 direction, float glow, float spread, float footprint) {
    vec2 heading = direction.xz / max(length(direction.xz), 1e-4);
    vec3 color = vec3(0.0);
    float hidden = 0.0;
    for (int i = 0; i < CLOUD_TAPS; i++) {
        float up = max(direction.y + spread * ((float(i) + 0.5) / float(CLOUD_TAPS) - 0.5) * 2.0, 0.02);
        float far = cloud_distance(place.y, up);
        vec2 at = (place.xz + heading * (far * sqrt(max(1.0 - up * up, 0.0)))) / cloud_period + cloud_offset;
        // Sideways, and half the way from one direction to the next.
        float wide = far * spread * max(up, 1.0 / (float(CLOUD_TAPS) * up));
        float blurred = min((wide + footprint) / cloud_period, 1.0);
        float level = max(log2(blurred * float(textureSize(cloud_cover, 0).x)), 0.0);
        float rank = textureLod(cloud_cover, at, level).r;
        // Clouds are not flat, see `under_clouds`.
        float deep = min(CLOUD_DEPTH / cloud_period * (1.0 / up - 1.0), 1.0);
        rank = mix(rank, 0.5, 1.0 - sqrt(1.0 - deep));
        blurred = min(blurred + deep, 1.0);
        float amount = cloud_amount(rank, blurred);
        float cover = clouds_hide(rank, blurred) * exp2(-far * 0.2) * smoothstep(0.0, 0.06, direction.y);
        float thin = (1.0 - amount) * (1.0 - amount);
        color += cover * (cloud_light * (0.67 - 0.26 * amount + 1.2 * glow * thin) + ambient_0 * (1.5 - 0.7 * amount));
        hidden += cover;
    }
    return sky * (1.0 - hidden / float(CLOUD_TAPS)) + color / float(CLOUD_TAPS);
}
