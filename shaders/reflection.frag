// What water mirrors of the ground, without what lies between the samples. Linear light.

in vec3 v_world;
in vec2 v_tile;
in vec3 v_clear;
in vec3 v_fog;

uniform float tiles;
uniform vec3 eye;

out vec4 out_color;

void main() {
    // The mirrored picture has half as many pixels a side.
    float size = pixel_size(v_world, eye) + 1.0;
    vec3 normal = smooth_normal(v_tile, tiles, size);
    float steep = 1.0 - smoothstep(rock.x, rock.y, normal.y);
    float height = (v_world.y - height_range.x) * height_range.y;
    vec3 albedo = texture(materials, vec2(height, 0.25 + 0.5 * steep)).rgb;
    albedo = mix(albedo, SAND, sand_part(v_world.y, 0.0) * (1.0 - steep));
    float facing = max(dot(normal, sun_direction), 0.0);
    vec2 seen = visibility_at(v_tile, tiles, size);
    vec3 light = sun_light * (facing * seen.x * cloud_shadow(v_world)) + ambient_light(normal) * seen.y
        + ground_light(albedo, 1.0 - seen.y);
    out_color = vec4(mix(v_fog, albedo * light, v_clear), 1.0);
}
