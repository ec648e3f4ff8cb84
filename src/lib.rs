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
//! animates settings over time. [`import`] and [`export`] read and write files, [`render`] uses OpenGL,
//! [`app`] is the window and [`cli`] the command line.

#![warn(missing_docs)]
// Code that only some features use would be reported as dead without them.
#![cfg_attr(not(all(feature = "window", feature = "cli")), allow(dead_code))]

#[macro_use]
mod vectorized;

pub mod analysis;
#[cfg(feature = "window")]
#[doc(hidden)]
pub mod app;
pub mod camera;
pub mod child_process;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
pub mod covers;
pub mod drainage;
pub mod erosion;
pub mod export;
pub mod film;
mod formats;
pub mod fractal;
#[cfg(feature = "formats")]
pub mod gdal;
pub mod generate;
pub mod geo;
pub mod grid;
pub mod heightmap;
mod identity;
pub mod import;
pub mod inputs;
pub mod job;
pub mod language;
pub mod layer;
#[cfg(feature = "render")]
pub mod lettering;
pub mod light;
pub mod maps;
pub mod mask;
mod means;
pub mod measure;
pub mod memory;
pub mod mesh;
pub mod modify;
mod neighbours;
mod numbers;
mod parallel;
pub mod param;
#[cfg(feature = "render")]
pub mod photographer;
pub mod pipeline;
#[cfg(feature = "render")]
pub mod render;
pub mod resample;
pub mod rivers;
pub mod rng;
pub mod scene;
#[cfg(feature = "render")]
pub mod script;
#[cfg(feature = "render")]
pub mod sheet;
pub mod sky;
mod spline;
#[cfg(any(feature = "window", feature = "cli"))]
pub mod system_fonts;
mod table;
pub mod texture;
pub mod vary;
pub mod words;

/// Compile and run the README's code.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The code of the book's library chapter compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
struct LibraryChapter;
