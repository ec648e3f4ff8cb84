//! Plants and stones, scattered over the ground by rules: a dart-throwing process whose every plant is a function
//! of its position.
//!
//! ```text
//! jittered grid ─► four rounds of local elimination ─► growth by ground and masks ─► light under taller layers
//! pattern          pattern                              site, rules, growth            scatter
//! ```
//!
//! The pattern of a layer is the same on any ground, so plants never move: the rules only say which of them grow.
//! A plant depends on its neighbourhood alone, so any region has the plants of the whole.

pub mod autumn;
mod canopy;
mod growth;
pub mod impostor;
pub mod models;
mod pattern;
mod rules;
mod scatter;
mod site;
mod tiles;

pub use canopy::{CanopyLayer, CanopyMap, PREVIEW_SIDE};
pub use pattern::{Candidate, Pattern};
pub use scatter::{LayerCount, Plant, PlantCount, Rect, Scatter};
pub use site::{FIXED_SIDE, Site};
