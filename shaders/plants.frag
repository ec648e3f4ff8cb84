// Impostors of plants, lit, in front of the ground of the depth layers. Premultiplied, as shown on screen. After
// common/output.glsl, common/tonemap.glsl and common/plant_color.glsl.

in vec2 v_place;
flat in float v_level;
flat in vec3 v_sun_way;
flat in vec3 v_up_way;
flat in vec3 v_tint;

uniform sampler2D plant_colors;
uniform sampler2D plant_normals;

void main() {
    vec4 texel = textureLod(plant_colors, v_place, v_level);
    vec3 normal = textureLod(plant_normals, v_place, v_level).xyz * (255.0 / 127.0) - 128.0 / 127.0;
    normal *= inversesqrt(max(dot(normal, normal), 1e-6));
    vec3 albedo = texel.rgb / max(texel.a, 1e-3);
    albedo *= albedo * v_tint;
    vec3 color = plant_color(albedo, dot(normal, v_sun_way), dot(normal, v_up_way));
    finish(tonemap(color));
    out_color *= texel.a * plant_cover();
}
