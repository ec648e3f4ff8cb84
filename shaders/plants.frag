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
    // Straight on, for pixels without plant, too: in drivers in software loops that skip them cost more than they save.
    vec4 texel = textureLod(plant_colors, v_place, v_level);
    // The quad may be wider than the view at one of its ends.
    texel *= step(abs(v_across), 1.0);
    vec4 facing = textureLod(plant_normals, v_place, v_level);
    float whole = 1.0 / max(texel.a, 1e-3);
    vec3 ball = normalize(vec3(v_across, 0.35, sqrt(max(1.0 - v_across * v_across, 0.0))));
    vec3 own = facing.xyz * (255.0 / 127.0) - 128.0 / 127.0;
    own *= inversesqrt(max(dot(own, own), 1e-6));
    float fine = clamp((v_level - ROUND.x) / (ROUND.y - ROUND.x), 0.0, 1.0);
    vec3 normal = mix(ball, own, fine);
    vec3 albedo = texel.rgb * whole;
    albedo *= albedo;
    albedo = leaf_color(albedo, v_turned) * v_tint;
    albedo = mix(albedo, SNOW, v_snow * min(facing.a * whole, 1.0));
    vec3 light = plant_color(albedo, dot(normal, v_sun_way), dot(normal, v_up_way));
    float cover = texel.a * plant_cover();
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
