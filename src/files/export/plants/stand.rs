//! Plants as placed models, on the axes of the meshes of the ground: metres from the middle of the map, x east, y up,
//! z south.

use crate::plants::Plant;
use crate::plants::autumn::Leaves;
use crate::plants::models::{Model, ModelDetail, hash_of, model, variant_of};
use crate::scene::{PlantKind, PlantLayer};

/// A model of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Species {
    pub kind: PlantKind,
    /// Variant of the kind.
    variant: u32,
    /// Step to which its leaves have turned.
    leaves: u32,
}

impl Species {
    /// Order of species in files.
    pub fn order(&self) -> (usize, u32, u32) {
        (self.kind as usize, self.variant, self.leaves)
    }

    /// Name in files.
    pub fn name(&self) -> String {
        let Self {
            kind,
            variant,
            leaves,
        } = self;
        match leaves {
            0 => format!("{kind}_{variant}"),
            _ => format!("{kind}_{variant}_autumn_{leaves}"),
        }
    }

    /// Model for files.
    pub fn model(&self, detail: ModelDetail) -> Model {
        let mut model = model(self.kind, self.variant, detail);
        let leaves = Leaves::of_step(self.kind, self.leaves);
        for vertex in &mut model.vertices {
            vertex.color = leaves.albedo(vertex.color);
        }
        model
    }
}

/// Conversion of plants to placed models.
#[derive(Clone, Copy, Debug)]
pub struct Stands<'a> {
    /// Sides of the map in half tiles, east and south.
    pub size: [f64; 2],
    /// Metres of a half tile.
    pub metres: f64,
    /// Layers of the scene.
    pub layers: &'a [PlantLayer],
}

/// Transformation of a model to a plant.
#[derive(Clone, Copy, Debug)]
pub struct Stand {
    pub place: [f64; 3],
    /// Quaternion x, y, z, w.
    pub rotation: [f64; 4],
    pub scale: [f64; 3],
}

impl Stands<'_> {
    /// Model of a plant.
    pub fn species(&self, plant: &Plant) -> Species {
        let hash = hash_of(plant.layer, plant.cell);
        let autumn = self
            .layers
            .get(plant.layer)
            .map_or(0.0, |layer| layer.autumn);
        Species {
            kind: plant.kind,
            variant: variant_of(hash),
            leaves: Leaves::step_of(plant.kind, autumn, hash as u32),
        }
    }

    pub fn stand(&self, plant: &Plant) -> Stand {
        let level = [0, 1].map(|axis| (plant.place[axis] - self.size[axis] / 2.0) * self.metres);
        // Plants turn clockwise as seen from above, rotations about y do not.
        let (sine, cosine) = libm::sincos(-f64::from(plant.rotation).to_radians() / 2.0);
        let wide = f64::from(plant.radius_m) / f64::from(plant.kind.radius());
        Stand {
            place: [level[0], f64::from(plant.ground) * self.metres, level[1]],
            rotation: [0.0, sine, 0.0, cosine],
            scale: [wide, plant.height_m.into(), wide],
        }
    }
}
