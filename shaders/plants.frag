// Impostors of plants, lit, in front of the ground of the depth layers. Premultiplied, as shown on screen. After
// common/output.glsl, common/tonemap.glsl and common/layers.glsl.

in vec2 v_place;
in float v_high;
in float v_away;
flat in float v_level;
flat in float v_opacity;
flat in vec3 v_sun_way;
flat in vec3 v_up_way;
flat in vec3 v_sun;
flat in vec3 v_through;
flat in vec3 v_high_light;
flat in vec3 v_low_light;
flat in vec3 v_tint;
flat in vec3 v_clear;
flat in vec3 v_fog;

uniform sampler2D plant_colors;
uniform sampler2D plant_normals;

void main() {
    vec4 texel = textureLod(plant_colors, v_place, v_level);
    vec3 normal = textureLod(plant_normals, v_place, v_level).xyz * (255.0 / 127.0) - 128.0 / 127.0;
    normal *= inversesqrt(max(dot(normal, normal), 1e-6));
    Layers here = layers_here();
    float hidden = (here.away.x < v_away ? here.parts.x : 0.0) + (here.away.y < v_away ? here.parts.y : 0.0);
    float cover = texel.a * v_opacity * (1.0 - hidden);
    vec3 albedo = texel.rgb / max(texel.a, 1e-3);
    albedo *= albedo * v_tint;
    // The crown shades itself.
    float shade = mix(0.35, 1.0, smoothstep(0.0, 0.9, v_high));
    float facing = dot(normal, v_sun_way);
    vec3 light = v_sun * (0.85 * max(facing + 0.15, 0.0)) + v_through * (0.5 * max(-facing, 0.0) + 0.12);
    light += mix(v_low_light, v_high_light, 0.5 + 0.5 * dot(normal, v_up_way));
    vec3 color = mix(v_fog, albedo * light * shade, v_clear);
    finish(tonemap(color));
    out_color *= cover;
}
