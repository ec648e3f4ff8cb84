// Points of a ridge line, repeated and fitted to the picture.

uniform sampler2D heights;
uniform int row;               // of the height map
uniform int cells;             // segments a tile
uniform float tiles;
uniform vec4 fit;              // clip = ridge * xy + zw, ridge x 0..tiles, y the height

vec2 ridge_point(int index) {
    int tile = index / cells;
    int texel = index - tile * cells;
    // The last point of all, and where a ridge does not tile the step is drawn upright.
    if (texel == 0 && tile > 0) {
        tile -= 1;
        texel = cells;
    }
    float x = float(tile) + float(texel) / float(cells);
    return vec2(x, texelFetch(heights, ivec2(texel, row), 0).r) * fit.xy + fit.zw;
}
