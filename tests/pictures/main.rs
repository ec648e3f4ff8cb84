//! Pictures: drawn without a display, compared with golden ones.

#[path = "../helpers/common.rs"]
mod common;
#[path = "../helpers/pictures.rs"]
mod pictures;
#[path = "../helpers/rows.rs"]
mod rows;

mod analysis;
mod covers;
mod desk;
mod detail;
mod endless;
mod landscape;
mod map;
mod masks;
mod pieces;
mod planes;
mod reload;
mod render;
mod rivers;
mod scale_bar;
mod shots;
mod sky;
mod stale;
mod steep;
mod walked;
mod water;
mod watershed;
mod zoom;
