// Models of plants, lit, in front of the ground of the depth layers. Premultiplied, as shown on screen. After
// common/output.glsl, common/tonemap.glsl and common/plant_color.glsl.

in vec3 v_albedo;
in vec2 v_lit;

void main() {
    float cover = plant_cover();
    if (cover <= 0.0) {
        discard;
    }
    finish(tonemap(plant_color(v_albedo, v_lit.x, v_lit.y)));
    out_color *= cover;
}
