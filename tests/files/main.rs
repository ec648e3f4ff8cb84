//! Files that come in and go out.

#[path = "../helpers/common.rs"]
mod common;

mod attacked;
mod camera;
mod cases;
mod examples;
mod for_engine;
mod foreign;
mod formats;
mod formula;
mod heights;
mod holes;
mod import;
mod levels;
mod maps;
mod mesh_export;
mod numbers_in;
mod pins;
mod places;
mod progress;
mod recipe;
mod replaced;
mod round_trip;
mod shared;
mod sizes;
mod tiles;
mod unchanged;
