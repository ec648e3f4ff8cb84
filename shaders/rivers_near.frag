// Whether there is water in a square of the picture, or ground that it makes wet: a texel for each,
// 1 where some of it is near enough to mirror land, 0.5 where all is far away.
// After common/pixel_rays.glsl, common/tile.glsl and common/rivers.glsl. RIVER_SQUARE, NOTHING
// and DISTANT_RIVER come from Rust.

uniform sampler2D layers;

float distance_at(ivec2 pixel) {
    pixel = clamp(pixel, ivec2(0), textureSize(layers, 0) - 1);
    return texelFetch(layers, pixel, 0).r;
}

uniform ivec2 first_square;   // counted from the corner of the whole picture
uniform vec2 picture;         // pixels of the whole picture
uniform vec2 origin;          // first column and row of the piece drawn

out vec4 out_color;

// Every second pixel of every second row is asked for as much as four: with wider steps rivers across a
// slope are missed.
const int STEP = 2;

void main() {
    ivec2 square = first_square + ivec2(gl_FragCoord.xy);
    ivec2 first = square * int(RIVER_SQUARE) - ivec2(origin);
    float water = 0.0;
    for (int y = 0; y < int(RIVER_SQUARE); y += STEP) {
        for (int x = 0; x < int(RIVER_SQUARE); x += STEP) {
            ivec2 pixel = first + ivec2(x, y);
            float away = distance_at(pixel);
            vec2 place = (vec2(pixel) + 0.5 + origin) / picture * 2.0 - 1.0;
            vec3 beside = ray_beside(place);
            vec3 ray = ray_through(place);
            vec3 world = eye + (beside + ray * away);
            float side = side_in_cells(pixel_size(way_seen(beside, ray, away)));
            bool has_water = away < NOTHING && rivers_near(place_of(world), float(STEP) * side);
            water = max(water, has_water ? (side < DISTANT_RIVER ? 1.0 : 0.5) : 0.0);
        }
    }
    out_color = vec4(water);
}
