//! Plants as placed models, on the axes of the meshes of the ground: metres from the middle of the map, x east, y up,
//! z south.

use crate::plants::Plant;
use crate::plants::models::{Model, ModelDetail, model, variant_of};
use crate::scene::PlantKind;

/// Kind and variant of a model.
pub type Species = (PlantKind, u32);

/// Conversion of plants to placed models.
#[derive(Clone, Copy, Debug)]
pub struct Stands {
    /// Sides of the map in half tiles, east and south.
    pub size: [f64; 2],
    /// Metres of a half tile.
    pub metres: f64,
}

/// Transformation of a model to a plant.
#[derive(Clone, Copy, Debug)]
pub struct Stand {
    pub place: [f64; 3],
    /// Quaternion x, y, z, w.
    pub rotation: [f64; 4],
    pub scale: [f64; 3],
}

impl Stands {
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

/// Kind and variant of the model of a plant.
pub fn species(plant: &Plant) -> Species {
    (plant.kind, variant_of(plant.layer, plant.cell))
}

/// Order of species in files.
pub fn order(species: &Species) -> (usize, u32) {
    (species.0 as usize, species.1)
}

/// Name of a species in files.
pub fn name((kind, variant): Species) -> String {
    format!("{kind}_{variant}")
}

/// Model of a species for files.
pub fn model_of((kind, variant): Species, detail: ModelDetail) -> Model {
    model(kind, variant, detail)
}
