//! Wetness of the ground by its height above the nearest drainage (HAND, Nobre et al. 2011). Unlike the
//! topographic wetness index, which marks single samples along each brook, it does not depend on the sample
//! spacing: a river moistens ground that lies little higher than it.

use crate::terrain::drainage::Drainage;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};

/// Drainage areas, as shares of a square tile, at which a stream starts to wet the ground and at which it
/// wets it fully.
const BROOK: f32 = 1.5e-4;
const RIVER: f32 = 1e-2;
/// Height above a river at which wetness ends, as a share of the relief.
const CLIMB: f32 = 0.12;
/// Flow distance from a river at which wetness ends, in half tiles.
const WAY: f32 = 0.25;

/// Wetness of each sample of a map, 0…1.
#[derive(Clone, Debug, PartialEq)]
pub struct Wetness {
    values: Vec<f32>,
    rows: usize,
    columns: usize,
}

impl Wetness {
    /// Wetness of a sample.
    ///
    /// # Panics
    /// There is no such sample.
    #[must_use]
    pub fn at(&self, row: usize, column: usize) -> f32 {
        self.values[row % self.rows * self.columns + column % self.columns]
    }
}

/// Compute the wetness of `map`. It depends on the size of the river that a sample drains to, and decreases
/// with the height above it and the length of the flow path to it. The scene's water is ignored: rivers end
/// at the base level of the map's erosion.
///
/// Cost: a [`Drainage`], and a pass upstream.
///
/// # Errors
/// The job was cancelled.
pub fn wetness(map: &Heightmap, job: &Job) -> Result<Wetness, Cancelled> {
    let drainage = Drainage::of(map, None, job)?;
    let shape = drainage.shape();
    let (low, high) = map.range();
    let climb = ((high - low) * CLIMB).max(f32::MIN_POSITIVE);
    let spacing = drainage.spacing();
    let tile = spacing * spacing * 0.25;
    let grows = libm::logf(RIVER / BROOK).recip();
    let wet = drainage.upstream(job, |cell, below| {
        let height = drainage.height(map, cell);
        let share = drainage.area(cell) as f32 * tile;
        let own = (libm::logf(share / BROOK) * grows).clamp(0.0, 1.0);
        let receiver = drainage.receiver(cell).zip(below);
        let inherited = receiver.map_or(0.0, |(receiver, wet)| {
            let rise = (height - drainage.height(map, receiver)).max(0.0);
            let way = drainage.step(cell).unwrap_or(0.0) * spacing / WAY;
            f32::from_bits(wet) - rise / climb - way
        });
        own.max(inherited).to_bits()
    })?;
    Ok(Wetness {
        values: wet.into_iter().map(f32::from_bits).collect(),
        rows: shape.rows,
        columns: shape.columns,
    })
}
