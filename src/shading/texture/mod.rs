//! Textures and colours on the CPU: gradients by height, clouds, waves and detail.

use crate::terrain::grid::Grid;

pub mod close;
pub mod clouds;
pub mod detail;
pub mod waves;

pub use crate::scene::cover::{self, Cover, Snow};
pub use crate::scene::palette::{Palette, Stop};

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

// Hypsometric colours.

/// Size of the palette's lookup table, the same as on the GPU.
pub(crate) const PALETTE_TEXELS: usize = 4096;

/// Palette over a range of heights, filtered linearly like a texture.
#[derive(Clone, Debug)]
pub struct Gradient {
    table: Vec<[u8; 3]>,
    low: f32,
    scale: f32,
}

impl Gradient {
    /// Gradient from the height `low` to the height `high`.
    #[must_use]
    pub fn new(palette: &Palette, (low, high): (f32, f32)) -> Self {
        Self {
            table: palette.table(PALETTE_TEXELS),
            low,
            scale: if high > low { 1.0 / (high - low) } else { 0.0 },
        }
    }

    /// Colour (sRGB) at a height, each channel 0…255.
    #[must_use]
    pub fn color(&self, height: f32) -> [f32; 3] {
        let last = PALETTE_TEXELS - 1;
        let at = ((height - self.low) * self.scale).clamp(0.0, 1.0) * PALETTE_TEXELS as f32 - 0.5;
        let at = at.clamp(0.0, last as f32);
        let before = (at as usize).min(last);
        let t = at - before as f32;
        let (a, b) = (self.table[before], self.table[(before + 1).min(last)]);
        std::array::from_fn(|i| f32::from(a[i]) * (1.0 - t) + f32::from(b[i]) * t)
    }
}
