//! Drainage maps: flow accumulation, lakes and the topographic wetness index (Beven and Kirkby 1979), see
//! [`crate::terrain::drainage`].

use super::{Kind, Map};
use crate::scene::Scene;
use crate::terrain::drainage::Drainage;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::numbers::metres_per_unit;

/// Map `flow`: flow accumulation.
pub(super) const FLOW: Map = Map {
    name: "flow",
    help: "The area that drains through each sample; for a mask take `wetness`, its logarithm.",
    unit: "m²",
    range: None,
    kind: Kind::Whole(flow),
};

/// Map `lakes`: lake depth.
pub(super) const LAKES: Map = Map {
    name: "lakes",
    help: "How deep lakes are if every hollow above the sea is full, and 0 elsewhere.",
    unit: "m",
    range: None,
    kind: Kind::Whole(lakes),
};

/// Map `wetness`: topographic wetness index.
pub(super) const WETNESS: Map = Map {
    name: "wetness",
    help: "How wet the ground is: ln(area that drains through a metre / slope), 0 to about 20.",
    unit: "ln m",
    range: None,
    kind: Kind::Whole(wetness),
};

fn flow(map: &Heightmap, scene: &Scene, job: &Job) -> Result<Heightmap, Cancelled> {
    let drainage = Drainage::of(map, scene.water.height(), job)?;
    let side = f64::from(drainage.spacing()) * metres(scene);
    drainage.map(job, |cell| {
        (f64::from(drainage.area(cell)) * side * side) as f32
    })
}

fn lakes(map: &Heightmap, scene: &Scene, job: &Job) -> Result<Heightmap, Cancelled> {
    let drainage = Drainage::of(map, scene.water.height(), job)?;
    let metres = metres(scene) as f32;
    drainage.map(job, |cell| drainage.depth(cell) * metres)
}

fn wetness(map: &Heightmap, scene: &Scene, job: &Job) -> Result<Heightmap, Cancelled> {
    let drainage = Drainage::of(map, scene.water.height(), job)?;
    let metres = metres(scene) as f32;
    drainage.map(job, |cell| drainage.wetness(cell, metres))
}

fn metres(scene: &Scene) -> f64 {
    metres_per_unit(scene.surface.tile_size_m)
}
