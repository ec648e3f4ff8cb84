//! Options for mesh export.

use serde::{Deserialize, Serialize};

use crate::terrain::mesh::Detail;

/// Options for mesh export.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MeshOptions {
    /// Level of detail; by default all triangles.
    pub detail: Detail,
    /// Longer side of a block for printing, in millimetres, above 0; default 100.
    pub print_size_mm: f32,
    /// Unit of coordinates.
    pub unit: MeshUnit,
}

/// Unit of coordinates in a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MeshUnit {
    /// Unit of the format: half tiles, metres or millimetres.
    #[default]
    Own,
    /// Metres, in formats that leave the unit open.
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
