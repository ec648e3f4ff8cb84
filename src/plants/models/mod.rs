//! Procedural low-poly models of plants and stones, for pictures and for export.
//!
//! Each kind grows from a few rules and counter-based random numbers, one file a kind. Leaves and needles are
//! triangles with colours, seen from both sides. Crowns are lit softly: their normals point away from the axis of the
//! plant, not off each leaf; and colours darken inwards and downwards, as a baked ambient occlusion.

mod birch;
mod boulder;
mod foliage;
mod grass;
mod palm;
mod shape;
mod shrub;
mod snow;
mod spruce;

use crate::scene::PlantKind;
use crate::util::rng::mix;
use shape::Shape;

/// Number of different models of a kind and detail.
pub const VARIANTS: u32 = 3;

/// Level of detail of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ModelDetail {
    /// Hundreds of triangles, for plants close by and for files.
    Near,
    /// Dozens of triangles, for plants a few dozen pixels high.
    Far,
}

/// Vertex of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModelVertex {
    /// Position; y is up.
    pub position: [f32; 3],
    /// Unit normal for the light, which in a crown is not that of the triangle.
    pub normal: [f32; 3],
    /// Linear albedo.
    pub color: [f32; 3],
    /// Share of the wind's motion, 0 (at the foot) … 1.
    pub sway: f32,
    /// Share that snow hides under the most that the plant holds, 0…1.
    pub snow: f32,
}

/// Triangle mesh of a plant of height 1 with its foot at the origin. Its crown has the radius of the kind. Trunks reach
/// a little below the foot, so that they do not float on slopes.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Vertices.
    pub vertices: Vec<ModelVertex>,
    /// Corners of triangles, as indices of vertices, counter-clockwise from the side of their normals. Either side may
    /// face the eye.
    pub triangles: Vec<[u32; 3]>,
}

/// Random number of a plant, by the cell in which it grows: with it, pictures and files show the same one.
#[must_use]
pub fn hash_of(layer: usize, cell: [u32; 2]) -> u64 {
    let [column, row] = cell.map(u64::from);
    mix(mix(column) ^ row ^ (layer as u64) << 40)
}

/// Variant of a plant, by its [`hash_of`].
#[must_use]
pub fn variant_of(hash: u64) -> u32 {
    (hash as u32 >> 16) % VARIANTS
}

/// Make the model of a kind of plant; `variant` is taken modulo [`VARIANTS`].
#[must_use]
pub fn model(kind: PlantKind, variant: u32, detail: ModelDetail) -> Model {
    let mut shape = Shape::new(kind, variant % VARIANTS);
    let grow = match kind {
        PlantKind::Spruce => spruce::grow,
        PlantKind::Birch => birch::grow,
        PlantKind::Palm => palm::grow,
        PlantKind::Shrub => shrub::grow,
        PlantKind::Grass => grass::grow,
        PlantKind::Boulder => boulder::grow,
    };
    grow(&mut shape, detail);
    shape.into_model(kind)
}
