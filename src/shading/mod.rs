//! Colours and light of the ground and the sky, before anything is drawn.

pub mod analysis;
pub mod canopy;
pub mod covers;
pub mod light;
pub mod maps;
pub mod material;
mod material_normals;
pub mod sky;
pub mod snow;
pub mod texture;
pub mod wind_waves;
