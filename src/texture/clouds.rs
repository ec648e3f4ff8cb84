//! Clouds: a fractal map read as opacity (Martz 1996). Low is blue sky, high is white cloud.

use crate::grid::Grid;
use crate::heightmap::Heightmap;

/// Clear sky, sRGB.
pub const SKY: [f32; 3] = [0.4, 0.4, 0.9];
/// Thickest cloud, sRGB.
pub const CLOUD: [f32; 3] = [0.9, 0.9, 0.9];
/// Heights beyond mean ± this much times A are clear sky or full cloud.
pub const CONTRAST: f32 = 0.2;

/// The cloud texture of a map whose first pass had range `amplitude`: heights clamped to
/// mean ± 0.2·A, then linear from sky to cloud. A map that wraps loses its last row and column,
/// so that the texture repeats without a doubled texel.
#[must_use]
pub fn texture(map: &Heightmap, amplitude: f32) -> Grid<[u8; 3]> {
    let repeat = usize::from(map.wraps());
    let (rows, columns) = (map.rows() - repeat, map.columns() - repeat);
    let mean = {
        let rows_of = (0..rows).map(|row| &map.row(row)[..columns]);
        let sum: f64 = rows_of.flatten().map(|h| f64::from(*h)).sum();
        (sum / (rows * columns) as f64) as f32
    };
    let reach = CONTRAST * amplitude;
    let mut texels = Grid::filled(rows, columns, [0; 3]);
    for row in 0..rows {
        for (column, height) in map.row(row)[..columns].iter().enumerate() {
            let t = if reach > 0.0 {
                ((height - mean) / reach).clamp(-1.0, 1.0) * 0.5 + 0.5
            } else {
                0.5
            };
            let color = |i: usize| (SKY[i] + (CLOUD[i] - SKY[i]) * t) * 255.0;
            texels.set(row, column, std::array::from_fn(|i| color(i).round() as u8));
        }
    }
    texels
}
