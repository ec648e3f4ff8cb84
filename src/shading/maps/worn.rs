//! Erosion maps: eroded depth and deposited sediment of the modifier `erosion`.

use super::{Kind, Map};
use crate::scene::Scene;
use crate::terrain::heightmap::{Heightmap, Worn};
use crate::util::job::{Cancelled, Job};
use crate::util::numbers::metres_per_unit;

/// Map `wear`: eroded depth.
pub(super) const WEAR: Map = Map {
    name: "wear",
    help: "How much rock erosion has taken; 0 on a map that has not eroded.",
    unit: "m",
    range: None,
    kind: Kind::Whole(wear),
};

/// Map `deposit`: thickness of the sediment.
pub(super) const DEPOSIT: Map = Map {
    name: "deposit",
    help: "How thick the sediment is that erosion has left; 0 on a map that has not eroded.",
    unit: "m",
    range: None,
    kind: Kind::Whole(deposit),
};

fn wear(map: &Heightmap, scene: &Scene, job: &Job) -> Result<Heightmap, Cancelled> {
    in_metres(map, scene, job, |worn| &worn.wear)
}

fn deposit(map: &Heightmap, scene: &Scene, job: &Job) -> Result<Heightmap, Cancelled> {
    in_metres(map, scene, job, |worn| &worn.sediment)
}

fn in_metres(
    map: &Heightmap,
    scene: &Scene,
    job: &Job,
    part: impl Fn(&Worn) -> &[f32],
) -> Result<Heightmap, Cancelled> {
    job.check()?;
    let metres = metres_per_unit(scene.surface.tile_size_m) as f32;
    let numbers = match map.worn() {
        Some(worn) => part(worn).iter().map(|number| number * metres).collect(),
        None => vec![0.0; map.heights().len()],
    };
    let (rows, columns) = (map.rows(), map.columns());
    Ok(Heightmap::new(rows, columns, map.wraps(), numbers))
}
