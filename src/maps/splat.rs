//! Masks by band of the palette: which material an engine should lay where, and how much of it.
//!
//! A band is a run of neighbouring stops of one colour. Between two bands of different colours the
//! weights change in the same way as the colours do, so the bands' colours mixed by these weights
//! are those of the palette. A sample's weights sum to exactly 255.

use super::{Kind, Map, Relief};
use crate::job::{Cancelled, Job};
use crate::parallel;
use crate::texture::Palette;

/// The map with one band in each picture.
pub(super) const MASKS: Map = Map {
    name: "splat",
    help: "A grey mask for each band of the palette, summing to 255; {band} in the file name.",
    unit: "weight",
    range: None,
    kind: Kind::Bands(1),
};

/// The map with four bands in each picture.
pub(super) const PACKED: Map = Map {
    name: "splat-rgba",
    help: "The same masks, four bands in the channels of a picture.",
    unit: "weight",
    range: None,
    kind: Kind::Bands(4),
};

/// The bands of a palette over a range of heights, from the lowest to the highest.
#[derive(Clone, Debug, PartialEq)]
pub struct Bands {
    /// The colour of each band, sRGB, 0…1.
    pub colors: Vec<[f32; 3]>,
    /// The position of each stop, 0…1, and its band.
    stops: Vec<(f32, u32)>,
    low: f32,
    scale: f32,
}

/// The weights of one sample, which are shared by two neighbouring bands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weights {
    /// The lower of the two bands.
    pub band: u32,
    /// The weight of the band above it, 0…255; the lower band has the rest.
    pub next: u8,
}

impl Weights {
    /// The weight of a band, 0…255.
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
    /// The bands of a palette over heights from `range.0` to `range.1`.
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

    /// The weights at a height.
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

    /// The weights of a rectangle, row after row, on all threads of the rayon pool that this
    /// runs in.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn weights(&self, relief: &Relief<'_>, job: &Job) -> Result<Vec<Weights>, Cancelled> {
        let columns = relief.columns();
        let mut weights = vec![Weights::default(); relief.rows() * columns];
        let rows = parallel::over(weights.chunks_mut(columns)).at_least(16);
        rows.try_each(|row, weights| {
            job.check()?;
            for (weights, height) in weights.iter_mut().zip(relief.heights(row)) {
                *weights = self.at(*height);
            }
            Ok(())
        })?;
        Ok(weights)
    }

    /// The bytes of the picture of `channels` bands from the band `first` on: one byte for each
    /// sample and band, and 0 for bands that do not exist.
    #[must_use]
    pub fn picture(weights: &[Weights], first: usize, channels: usize) -> Vec<u8> {
        let mut bytes = vec![0; weights.len() * channels];
        let parts = bytes
            .chunks_mut(channels << 12)
            .zip(weights.chunks(1 << 12));
        parallel::over(parts).each(|_, (bytes, weights)| {
            for (pixel, weights) in bytes.chunks_mut(channels).zip(weights) {
                for (channel, byte) in pixel.iter_mut().enumerate() {
                    *byte = weights.of(first + channel);
                }
            }
        });
        bytes
    }
}
