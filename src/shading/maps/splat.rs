//! Splat maps: material weights for engines, one mask for each band of the palette.
//!
//! A band is a run of neighbouring stops of one colour. Between two bands the weights are interpolated
//! like the colours, so the bands' colours blended by these weights give the colours of the palette. The
//! weights of a sample sum to exactly 255.

use super::{Kind, Map, Relief};
use crate::shading::texture::Palette;
use crate::util::job::{Cancelled, Job};
use crate::util::parallel;

/// Map `splat`: one band in each picture.
pub(super) const MASKS: Map = Map {
    name: "splat",
    help: "A grey mask for each band of the palette, summing to 255; {band} in the file name.",
    unit: "weight",
    range: None,
    kind: Kind::Bands(1),
};

/// Map `splat-rgba`: four bands in each picture.
pub(super) const PACKED: Map = Map {
    name: "splat-rgba",
    help: "The same masks, four bands per picture, one in each channel.",
    unit: "weight",
    range: None,
    kind: Kind::Bands(4),
};

/// Bands of a palette over a range of heights, from the lowest to the highest.
#[derive(Clone, Debug, PartialEq)]
pub struct Bands {
    /// Colour of each band, sRGB 0…1.
    pub colors: Vec<[f32; 3]>,
    /// Position of each stop, 0…1, and the index of its band.
    stops: Vec<(f32, u32)>,
    low: f32,
    scale: f32,
}

/// Weights of one sample. At most two neighbouring bands are not 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weights {
    /// Index of the lower band.
    pub band: u32,
    /// Weight of the next higher band, 0…255; the lower band has the rest.
    pub next: u8,
}

impl Weights {
    /// Weight of a band, 0…255.
    #[must_use]
    #[inline]
    pub fn of(self, band: usize) -> u8 {
        match band.checked_sub(self.band as usize) {
            Some(0) => 255 - self.next,
            Some(1) => self.next,
            _ => 0,
        }
    }
}

impl Bands {
    /// Bands of a palette over heights from `range.0` to `range.1`.
    #[must_use]
    pub fn new(palette: &Palette, range: (f32, f32)) -> Self {
        let mut colors: Vec<[f32; 3]> = Vec::new();
        let mut stops = Vec::new();
        for stop in &palette.stops {
            if colors.last() != Some(&stop.color) {
                colors.push(stop.color);
            }
            stops.push((stop.at, colors.len() as u32 - 1));
        }
        let (low, high) = range;
        let scale = if high > low { 1.0 / (high - low) } else { 0.0 };
        Self {
            colors,
            stops,
            low,
            scale,
        }
    }

    /// Weights at a height.
    #[must_use]
    #[inline]
    pub fn at(&self, height: f32) -> Weights {
        let at = ((height - self.low) * self.scale).clamp(0.0, 1.0);
        let after = self.stops.partition_point(|stop| stop.0 <= at);
        let whole = |band| Weights { band, next: 0 };
        match (after.checked_sub(1), self.stops.get(after)) {
            (Some(before), None) => whole(self.stops[before].1),
            (None, Some(next)) => whole(next.1),
            (Some(before), Some(next)) if self.stops[before].1 != next.1 => {
                let before = self.stops[before];
                let t = (at - before.0) / (next.0 - before.0);
                Weights {
                    band: before.1,
                    next: (t * 255.0 + 0.5) as u8,
                }
            }
            (Some(before), Some(_)) => whole(self.stops[before].1),
            (None, None) => whole(0),
        }
    }

    /// Weights of a rectangle, row after row. Runs in parallel in the current rayon pool.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn weights(&self, relief: &Relief<'_>, job: &Job) -> Result<Vec<Weights>, Cancelled> {
        let columns = relief.columns();
        let mut weights = vec![Weights::default(); relief.rows() * columns];
        let rows = parallel::par_items(weights.chunks_mut(columns)).at_least(16);
        rows.for_each_in(job, |row, weights| {
            for (weights, height) in weights.iter_mut().zip(relief.heights(row)) {
                *weights = self.at(*height);
            }
        })?;
        Ok(weights)
    }

    /// Bytes of a picture with `channels` bands from the band `first` on: one byte for each sample and
    /// band, 0 for bands that do not exist.
    #[must_use]
    pub fn picture(weights: &[Weights], first: usize, channels: usize) -> Vec<u8> {
        let mut bytes = vec![0; weights.len() * channels];
        let parts = bytes
            .chunks_mut(channels << 12)
            .zip(weights.chunks(1 << 12));
        parallel::par_items(parts).for_each(|_, (bytes, weights)| {
            for (pixel, weights) in bytes.chunks_mut(channels).zip(weights) {
                for (channel, byte) in pixel.iter_mut().enumerate() {
                    *byte = weights.of(first + channel);
                }
            }
        });
        bytes
    }
}
