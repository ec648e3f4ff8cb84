//! Landform: fractal landscapes, measured, exact and instant.

#![warn(missing_docs)]

pub mod fractal;
pub mod generate;
pub mod grid;
pub mod heightmap;
pub mod job;
pub mod param;
pub mod rng;
pub mod scene;
