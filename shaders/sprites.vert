// Small pictures laid over the large one. In: pixels of the whole picture, y down.

in vec2 corner;       // -1..1
in vec2 middle;
in vec2 extent;       // half of width and height
in vec2 turn;         // cosine and sine of the angle clockwise
in vec4 texels;       // of the sheet: first corner, last corner

uniform vec2 picture;
uniform sampler2D sheet;

out vec2 v_texel;

void main() {
    vec2 own = corner * extent;
    vec2 pixel = middle + vec2(own.x * turn.x - own.y * turn.y, own.x * turn.y + own.y * turn.x);
    v_texel = mix(texels.xy, texels.zw, corner * 0.5 + 0.5) / vec2(textureSize(sheet, 0));
    gl_Position = vec4(vec2(2.0, -2.0) * pixel / picture + vec2(-1.0, 1.0), 0.0, 1.0);
}
