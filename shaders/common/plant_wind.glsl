// Plants in the wind, as landform::render::plants::wind.

uniform vec4 wind_beat;        // of the time, along the wind and across it: sine, cosine - 1
uniform vec4 wind_way;         // along the wind and across it: east and south

// Motion of the top of a plant with that random number, as a share of its height.
vec3 swayed(float dice) {
    float phase = 6.2831853 * fract(dice * 91.0);
    vec2 own = vec2(cos(phase), sin(phase));
    vec2 off = wind_way.xy * dot(wind_beat.xy, own) + wind_way.zw * dot(wind_beat.zw, own);
    return vec3(off.x, 0.0, off.y);
}
