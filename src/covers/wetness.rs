//! How near the ground is to flowing water. Unlike the topographic index, which is a line of samples
//! along each brook, it has no scale of samples: a river makes wet what lies little higher than it,
//! as in the height above the nearest drainage (Nobre et al. 2011).

use crate::drainage::Drainage;
use crate::heightmap::Heightmap;
use crate::job::{Cancelled, Job};

/// The area, as a share of a square tile, whose water wets nothing, and the one whose water wets in
/// full.
const BROOK: f32 = 1.5e-4;
const RIVER: f32 = 1e-2;
/// The climb above a river after which nothing is wet, as a share of the relief.
const CLIMB: f32 = 0.12;
/// The way from a river after which nothing is wet, in half tiles.
const WAY: f32 = 0.25;

/// How wet each sample of a map is, 0…1.
#[derive(Clone, Debug, PartialEq)]
pub struct Wetness {
    values: Vec<f32>,
    rows: usize,
    columns: usize,
}

impl Wetness {
    /// How wet a sample is.
    ///
    /// # Panics
    /// There is no such sample.
    #[must_use]
    pub fn at(&self, row: usize, column: usize) -> f32 {
        self.values[row % self.rows * self.columns + column % self.columns]
    }
}

/// How wet `map` is: beside a river as much as this is large, and less the higher ground lies above
/// it and the longer the way is that its water takes there. The scene's water does not count: rivers
/// end where those did that have made the map.
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
