//! Heightfields and what is computed from heights alone: drainage, erosion, rivers, meshes, measures.

pub(crate) mod dilation;
pub mod drainage;
pub mod erosion;
pub mod geo;
pub mod grid;
pub mod heightmap;
pub(crate) mod means;
pub mod measure;
pub mod mesh;
pub(crate) mod neighbours;
pub mod resample;
pub mod rivers;
pub mod snow;
mod snow_line;
mod snow_slide;
pub mod weights;
