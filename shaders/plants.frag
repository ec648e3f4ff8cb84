// Impostors of plants, lit, in front of the ground of the depth layers. Premultiplied, as shown on screen. After
// common/output.glsl, common/tonemap.glsl, common/plant_color.glsl and common/plant_leaves.glsl.

in vec2 v_place;
in float v_across;     // -1..1
flat in float v_level;
flat in vec3 v_sun_way;
flat in vec3 v_up_way;
flat in vec3 v_tint;
flat in vec4 v_turned;
flat in float v_snow;

uniform sampler2D plant_colors;
uniform sampler2D plant_normals;

// Mipmaps from which a crown is as round as a ball, and up to which it is as it is.
const vec2 ROUND = vec2(4.0, 3.0);

void main() {
    vec4 texel = textureLod(plant_colors, v_place, v_level);
    vec3 light = vec3(0.0);
    float cover = 0.0;
    // Loops, because drivers in software do both sides of an `if`.
    float left = texel.a;
    while (left > 0.0) {
        vec3 normal = normalize(vec3(v_across, 0.35, sqrt(max(1.0 - v_across * v_across, 0.0))));
        float fine = clamp((v_level - ROUND.x) / (ROUND.y - ROUND.x), 0.0, 1.0);
        float coarse = fine;
        while (coarse > 0.0) {
            vec3 own = textureLod(plant_normals, v_place, v_level).xyz * (255.0 / 127.0) - 128.0 / 127.0;
            own *= inversesqrt(max(dot(own, own), 1e-6));
            normal = mix(normal, own, fine);
            coarse = 0.0;
        }
        vec3 albedo = texel.rgb / texel.a;
        float season = v_turned.a;
        while (season > 0.0) {
            albedo = sqrt(leaf_color(albedo * albedo, v_turned));
            season = 0.0;
        }
        albedo *= albedo * v_tint;
        float white = v_snow;
        while (white > 0.0) {
            float held = textureLod(plant_normals, v_place, v_level).a / texel.a;
            albedo = mix(albedo, SNOW, white * min(held, 1.0));
            white = 0.0;
        }
        light = plant_color(albedo, dot(normal, v_sun_way), dot(normal, v_up_way));
        cover = texel.a * plant_cover();
        left = 0.0;
    }
#ifdef MIRRORED
    // Nothing writes no depth. Light stays linear.
    if (cover < 0.1) {
        discard;
    }
    out_color = vec4(light, 1.0);
#else
    finish(tonemap(light));
#endif
    out_color *= cover;
}
