// The plane of water: rings around the place under the eye, as wide as the eye is high, so that
// the outermost meets the horizon. After common/sky.glsl. LAST_RING comes from Rust.

in vec2 heading;      // a unit vector
in float reach;       // distance from the place under the eye, in heights of the eye

uniform mat4 clip_from_world;
uniform vec3 eye;
uniform float level;
uniform float pixel_angle;       // radians a pixel

out vec3 v_offset;      // from the eye, half tiles
out vec3 v_fog;

void main() {
    float above = max(eye.y - level, 1e-6);
    // The last ring is bent up to the horizon, so that no gap is left.
    float rise = reach > LAST_RING ? reach * above * pixel_angle * 0.6 : level - eye.y;
    v_offset = vec3(heading.x * reach * above, rise, heading.y * reach * above);
    v_fog = fog_color(normalize(v_offset));
    gl_Position = clip_from_world * vec4(eye + v_offset, 1.0);
}
