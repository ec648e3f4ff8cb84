//! Landform: a fractal terrain generator with a renderer.
//!
//! A scene becomes a picture in three steps, each a function from values to values:
//!
//! ```
//! use landform::{inputs::Inputs, job::Job, measure, pipeline::Pipeline, scene::Scene};
//!
//! let mut scene = Scene::default();
//! scene.surface.seed = 42;
//! let landscape = Pipeline::default().run(&scene, &Inputs::default(), &Job::new())?;
//! let measures = measure::measure(&landscape.heights);
//! assert!((measures.hurst.unwrap() - 0.7).abs() < 0.02);
//! assert_eq!(measures.wrap_error.height, 0.0);
//! # Ok::<(), landform::generate::GenerateError>(())
//! ```
//!
//! [`render::picture`] then draws the landscape without a display, and [`export::picture`] saves it
//! together with its scene.
//!
//! In reading order: [`scene`] holds all settings. [`generate`] makes a heightfield from it; [`fractal`]
//! is its core, and [`rng`] supplies random numbers. [`layer`] combines several maps, and [`modify`]
//! changes them. The result is a [`heightmap`], the input of [`measure`], [`mesh`], [`texture`],
//! [`maps`], [`light`] and [`analysis`]. [`sky`] lights it, [`covers`] adds ground covers to eroded land,
//! and [`pipeline`] connects all stages. [`camera`] moves over the land without touching it, and [`film`]
//! animates settings over time. [`plants`] scatters plants by rules. [`import`] and [`export`] read and write files, [`render`] uses OpenGL,
//! [`app`] is the window and [`cli`] the command line.

#![warn(missing_docs)]
// Code that only some features use would be reported as dead without them.
#![cfg_attr(not(all(feature = "window", feature = "cli")), allow(dead_code))]

#[macro_use]
mod util;

#[cfg(feature = "window")]
#[doc(hidden)]
pub mod app;
#[cfg(feature = "render")]
pub mod batch_renderer;
pub mod camera;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
mod files;
pub mod fractal;
pub mod generate;
pub mod modify;
pub mod pipeline;
pub mod plants;
#[cfg(feature = "render")]
pub mod render;
pub mod scene;
mod shading;
mod terrain;

// The public paths of the library do not depend on how the modules are grouped.
pub use camera::film;
#[cfg(feature = "formats")]
pub use files::gdal;
#[cfg(feature = "render")]
pub use files::sheet;
pub use files::{export, import};
pub use modify::{layer, mask};
pub use pipeline::inputs;
pub use scene::vary;
pub use shading::{
    analysis, canopy, covers, light, maps, material, sky, snow, texture, wind_waves,
};
pub use terrain::{drainage, erosion, geo, grid, heightmap, measure, mesh, resample, rivers};
#[cfg(feature = "render")]
pub use util::lettering;
#[cfg(feature = "render")]
pub use util::script;
#[cfg(any(feature = "window", feature = "cli"))]
pub use util::system_fonts;
pub use util::{child_process, job, language, memory, param, rng, words};

/// Compile and run the README's code.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The code of the book's library chapter compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
struct LibraryChapter;
