// The sky by direction, as landform::sky::Dome has it, already exposed. Linear light; a direction is a unit
// vector, x east, y up, z south. Works in vertex and in fragment shaders. SKY_SIZE and HAZE_FORWARD
// come from Rust.

uniform sampler2D sky_table;     // air below haze: from the sun's side to the far one, horizon up
uniform vec3 sun_direction;
uniform vec2 sun_heading;        // its x and z, a unit vector
uniform vec3 sun_light;          // on a face that looks at it, in open ground
uniform vec3 below_horizon;
uniform vec3 ambient_0, ambient_1, ambient_2, ambient_3, ambient_4, ambient_5;

// How much haze scatters towards the eye, by the cosine to the sun.
float haze_phase(float cosine) {
    const float g = HAZE_FORWARD;
    float spread = 1.0 + g * g - 2.0 * g * cosine;
    return 0.119366207 * (1.0 - g * g) / (2.0 + g * g) * (1.0 + cosine * cosine)
        / (spread * sqrt(spread));
}

// A direction's place in the table of air; that of haze is half a texture higher.
vec2 sky_place(vec3 direction) {
    float turn = dot(direction.xz, sun_heading) / max(length(direction.xz), 1e-6);
    vec2 place = vec2(0.5 - 0.5 * turn, sqrt(sqrt(direction.y * direction.y + 0.000225)));
    return (place * (SKY_SIZE - 1.0) + 0.5) / (SKY_SIZE * vec2(1.0, 2.0));
}

vec3 sky_air(vec2 place) {
    return textureLod(sky_table, place, 0.0).rgb;
}

vec3 sky_haze(vec2 place) {
    return textureLod(sky_table, place + vec2(0.0, 0.5), 0.0).rgb;
}

// The cosine to the sun. The sky goes on below the horizon as in a mirror.
float sun_cosine(vec3 direction) {
    return dot(vec3(direction.x, abs(direction.y), direction.z), sun_direction);
}

// Of what is seen below the horizon, how much is land and not haze.
float land_part(float up) {
    float part = clamp(-up * 5.0, 0.0, 1.0);
    return 0.85 * part * part * (3.0 - 2.0 * part);
}

// The sky without disc and clouds; below the horizon as in a mirror, fading to land.
vec3 sky_color(vec3 direction) {
    vec2 place = sky_place(direction);
    vec3 color = sky_air(place) + sky_haze(place) * haze_phase(sun_cosine(direction));
    return mix(color, below_horizon, land_part(direction.y));
}

// What far land fades to: the sky behind it, but never that high above the horizon.
vec3 fog_color(vec3 direction) {
    vec3 level = normalize(vec3(direction.x, min(abs(direction.y), 0.08), direction.z));
    vec2 place = sky_place(level);
    return sky_air(place) + sky_haze(place) * haze_phase(dot(direction, sun_direction));
}

// Light of the sky on a face of that unit normal: times the face's colour it is what is seen.
vec3 ambient_light(vec3 normal) {
    float toward = dot(normal.xz, sun_heading);
    float across = normal.z * sun_heading.x - normal.x * sun_heading.y;
    vec3 light = ambient_0 + ambient_1 * normal.y + ambient_2 * toward
        + ambient_3 * (3.0 * normal.y * normal.y - 1.0) + ambient_4 * (toward * normal.y)
        + ambient_5 * (toward * toward - across * across);
    return max(light, 0.0);
}

// Where so much of the sky is hidden there is other ground, which is lit as well: its light on
// ground of the same colour.
vec3 ground_light(vec3 albedo, float hidden) {
    vec3 falls = sun_light * max(sun_direction.y, 0.0) + ambient_light(vec3(0.0, 1.0, 0.0));
    return falls * albedo * hidden;
}
