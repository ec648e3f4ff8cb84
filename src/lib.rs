//! Landform: fractal landscapes, measured, exact and instant.

#![warn(missing_docs)]

pub mod app;
pub mod cli;
pub mod export;
pub mod fractal;
pub mod generate;
pub mod grid;
pub mod heightmap;
pub mod import;
pub mod job;
pub mod measure;
pub mod mesh;
pub mod modify;
pub mod param;
pub mod pipeline;
pub mod render;
pub mod rng;
pub mod scene;
pub mod texture;
