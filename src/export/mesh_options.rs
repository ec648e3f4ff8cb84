//! Choices for meshes.

use serde::{Deserialize, Serialize};

use crate::mesh::Detail;

/// Choices for meshes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MeshOptions {
    /// How many triangles; by default all.
    pub detail: Detail,
    /// Longer side of a block for printing, in millimetres, above 0; default 100.
    pub print_size_mm: f32,
    /// The unit of places.
    pub unit: MeshUnit,
}

/// The unit of places in a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MeshUnit {
    /// The format's own: half tiles, metres or millimetres.
    #[default]
    Own,
    /// Metres where the format leaves it open.
    Metres,
}

impl Default for MeshOptions {
    fn default() -> Self {
        Self {
            detail: Detail::All,
            print_size_mm: 100.0,
            unit: MeshUnit::Own,
        }
    }
}
