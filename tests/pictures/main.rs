//! Pictures: drawn without a display, compared with golden ones.

#[path = "../helpers/common.rs"]
mod common;
#[path = "../helpers/effects.rs"]
mod effects;
#[path = "../helpers/offscreen.rs"]
mod offscreen;
#[path = "../helpers/pictures.rs"]
mod pictures;
#[path = "../helpers/rows.rs"]
mod rows;

mod analysis;
mod canopy;
mod close;
mod covers;
mod detail;
mod elevation;
mod endless;
mod landscape;
mod map;
mod masks;
mod planes;
mod plants;
mod relevance;
mod reload;
mod render;
mod rivers;
mod rock;
mod scale_bar;
mod sea;
mod shots;
mod sky;
mod steep;
mod walked;
mod water;
mod watershed;
mod zoom;
