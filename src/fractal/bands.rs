//! Bands of colour on bedrock: every bed has a tone of its own and a dark seam at its bottom.

use super::bedrock::{BEDS, Bedding, Beds, FINER, Folds, entry, first_bed};
use crate::util::rng::{Rng, Stage, Stream, uniform, unit};

/// Bands of colour on the rock: the places of the thickest beds, and their tones.
#[derive(Clone, Debug, PartialEq)]
pub struct Bands {
    /// Tilt and folds of the beds.
    pub folds: Folds,
    /// For each size, number of mean thicknesses in a half tile, and number of the first bed.
    pub sizes: [[f64; 2]; BANDS],
    /// Brightness along [`BEDS`] beds, [`TEXELS`] for each, and how much walls lean there, forwards if positive: 128
    /// is the mean, and 1…255 is −1…1.
    pub tones: Vec<[u8; 2]>,
}

/// Number of sizes of beds that show as bands.
pub const BANDS: usize = 2;
/// Number of tones along a bed.
pub const TEXELS: usize = 16;
/// Share of a bed at its bottom that is a dark joint.
const SEAM: f64 = 0.1;
/// Share of a flow of basalt at its bottom that is columns, and how much brighter than the rest these are.
const COLONNADE: f64 = 0.62;
const RUBBLE: f64 = 0.4;
/// Distance between the joints across columns, in their widths.
const MARKS: f64 = 0.45;
/// Strength of the faintest seams, of 1.
const FAINTEST: f64 = 0.15;

impl Bands {
    /// Create the bands of beds on a map with these sides, in half tiles eastwards and southwards.
    #[must_use]
    pub fn new(bedding: &Bedding, sides: [f64; 2], wraps: bool) -> Self {
        let beds = Beds::new(bedding);
        let mut numbers = Stream::new(bedding.seed, Stage::Bedrock, 3).row(0);
        let tones: Vec<_> = (0..BEDS)
            .map(|_| f64::from(uniform(numbers.next_u32())))
            .collect();
        let mean = tones.iter().sum::<f64>() / BEDS as f64;
        // Few seams are strong, or walls look ruled.
        let seams: Vec<_> = (0..BEDS)
            .map(|_| f64::from(unit(numbers.next_u32())))
            .map(|number| FAINTEST + (1.0 - FAINTEST) * number * number * number)
            .collect();
        let texel = |index: usize| {
            let t = (index as f64 + 0.5) / TEXELS as f64;
            let (number, f) = beds.at(t);
            // The seam is dark, and below an overhang.
            let rest = SEAM / (1.0 - SEAM);
            let [dark, lean] = if f < SEAM {
                [-0.5, 0.9]
            } else {
                [0.5 * rest, -0.9 * rest]
            };
            let [dark, lean] = [dark, lean].map(|part| part * seams[entry(number)]);
            // The upper part of a flow is finer rubble, which is darker than the columns under it.
            let part = match bedding.has_columns() {
                true if f > COLONNADE => -RUBBLE * COLONNADE,
                true => RUBBLE * (1.0 - COLONNADE),
                false => 0.0,
            };
            let tone = 0.6 * (tones[entry(number)] - mean) + dark + part;
            [tone, lean].map(|part| (128.5 + 127.0 * part.clamp(-1.0, 1.0)) as u8)
        };
        Self {
            folds: Folds::new(bedding, sides, wraps),
            sizes: std::array::from_fn(|size| {
                let thickness = match bedding.has_columns() {
                    true if size > 0 => MARKS * bedding.columns,
                    _ => (0..size).fold(bedding.thickness, |thick, _| thick * FINER),
                };
                [thickness.recip(), first_bed(bedding, size)]
            }),
            tones: (0..BEDS * TEXELS).map(texel).collect(),
        }
    }
}
