// What water mirrors of the ground, without what lies between the samples. Linear light.

in vec3 v_world;
in vec2 v_tile;
in vec3 v_clear;
in vec3 v_fog;

uniform float tiles;

out vec4 out_color;

void main() {
    vec3 normal = smooth_normal(v_tile, tiles);
    float steep = 1.0 - smoothstep(rock.x, rock.y, normal.y);
    float height = (v_world.y - height_range.x) * height_range.y;
    vec3 albedo = texture(materials, vec2(height, 0.25 + 0.5 * steep)).rgb;
    albedo = mix(albedo, SAND, sand_part(v_world.y, 0.0) * (1.0 - steep));
    float facing = max(dot(normal, sun_direction), 0.0);
    vec3 light = sun_light * (facing * sun_visibility(v_tile, tiles) * cloud_shadow(v_world))
        + ambient_light(normal) * sky_visibility(v_tile, tiles);
    out_color = vec4(mix(v_fog, albedo * light, v_clear), 1.0);
}
