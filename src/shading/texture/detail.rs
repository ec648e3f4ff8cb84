//! Detail texture between the samples of a map: stones, tufts, ripples of snow. It is a fractal again,
//! since a mountain seen closely shows the same shapes at a smaller scale (Martz 1996).

use crate::generate::diamond_square::DiamondSquareOptions;
use crate::generate::{GenerateError, Images, Surface};
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::Job;

/// Number of texels along each side.
pub const SIDE: usize = 512;
/// Cells of the ground that the texture covers as wide spots, as stones and as grains.
pub const REPEATS: [f32; 3] = [331.0, 23.0, 1.37];
/// Largest slope that a texel can hold, in multiples of the standard deviation.
const SLOPES: f32 = 3.0;
/// Largest height that a texel can hold, in multiples of the standard deviation.
const HEIGHTS: f32 = 2.5;

/// Create the texture, [`SIDE`] × [`SIDE`] and periodic. A texel holds the slopes eastwards and southwards
/// and the height, in units of 3 and of 2.5 standard deviations, and the height of a second, independent
/// map; 128 is 0, and 1…255 is −1…1. It takes about 10 ms.
///
/// # Errors
/// The job was cancelled.
pub fn texture(job: &Job) -> Result<Grid<[u8; 4]>, GenerateError> {
    // The first passes are omitted, since the repetition of their large shapes would be visible.
    let fine = map(0x6772_6176_656C, [0.0, 0.0, 0.25, 0.6, 0.85, 1.0], job)?;
    let other = map(0x706C_616E_7473, [0.0, 0.5, 1.0, 1.0, 1.0, 1.0], job)?;
    let at = |map: &Heightmap, row: usize, column: usize| map.row(row % SIDE)[column % SIDE];
    let slopes = |row: usize, column: usize| {
        [
            at(&fine, row, column + 1) - at(&fine, row, column + SIDE - 1),
            at(&fine, row + 1, column) - at(&fine, row + SIDE - 1, column),
        ]
    };
    let places = || (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (row, column)));
    let slope_scale = deviation(places().map(|(row, column)| slopes(row, column)[0])) * SLOPES;
    let scale = |map: &Heightmap| deviation(places().map(|(row, i)| at(map, row, i))) * HEIGHTS;
    let (fine_scale, other_scale) = (scale(&fine), scale(&other));
    let texels = places().map(|(row, column)| {
        let [east, south] = slopes(row, column);
        [
            byte(east / slope_scale),
            byte(south / slope_scale),
            byte(at(&fine, row, column) / fine_scale),
            byte(at(&other, row, column) / other_scale),
        ]
    });
    Ok(Grid::from_vec(SIDE, SIDE, texels.collect()).expect("one texel a place"))
}

pub(super) fn map(seed: u64, strengths: [f32; 6], job: &Job) -> Result<Heightmap, GenerateError> {
    let surface = Surface {
        seed,
        iterations: SIDE.trailing_zeros(),
        hurst: 0.45,
        diamond_square: DiamondSquareOptions {
            strengths: strengths.to_vec(),
            ..DiamondSquareOptions::default()
        },
        ..Surface::default()
    };
    surface.generate(&Images::default(), job, None)
}

/// Standard deviation of values whose mean is 0.
pub(super) fn deviation(values: impl Iterator<Item = f32>) -> f32 {
    let (count, squares) = values.fold((0, 0.0), |(count, sum), v| {
        (count + 1, sum + f64::from(v) * f64::from(v))
    });
    ((squares / f64::from(count)).sqrt() as f32).max(f32::MIN_POSITIVE)
}

/// Quantize a value: 1…255 for −1…1.
pub(super) fn byte(value: f32) -> u8 {
    (128.5 + value.clamp(-1.0, 1.0) * 127.0) as u8
}
