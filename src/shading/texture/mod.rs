//! Textures and colours on the CPU: palettes, covers, clouds, waves and detail.

pub mod clouds;
pub mod colors;
pub mod cover;
pub mod detail;
pub mod palette;
pub mod waves;

pub use cover::{Cover, Snow};
pub use palette::Palette;

use crate::terrain::grid::Grid;

/// Sample a periodic texture bilinearly at a position in repeats of the texture, eastwards and southwards.
/// Each channel is 0…1.
#[must_use]
pub(crate) fn repeated<const N: usize>(texels: &Grid<[u8; N]>, east: f32, south: f32) -> [f32; N] {
    let place = |at: f32, count: usize| {
        let at = (at - at.floor()) * count as f32 - 0.5;
        let before = at.floor();
        let first = (before as isize).rem_euclid(count as isize) as usize;
        (first, (first + 1) % count, at - before)
    };
    let (north, below, v) = place(south, texels.rows());
    let (west, next, u) = place(east, texels.columns());
    std::array::from_fn(|channel| {
        let at = |row, column| f32::from(texels.at(row, column)[channel]) / 255.0;
        let mix = |a: f32, b: f32, t: f32| a * (1.0 - t) + b * t;
        let above = mix(at(north, west), at(north, next), u);
        mix(above, mix(at(below, west), at(below, next), u), v)
    })
}
