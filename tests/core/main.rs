//! The core: generating, modifying, measuring, meshes and light. No files, no OpenGL.

#[path = "../helpers/pages.rs"]
mod pages;

mod architecture;
mod bias;
mod book;
mod canopy;
mod close;
mod columns;
mod covers;
mod drainage;
mod erosion;
mod fans;
mod film;
mod fractal;
mod functions;
mod generators;
mod gullies;
mod impostors;
mod inland;
mod layers;
mod light;
mod masks;
mod material;
mod measure;
mod mesh;
mod modify;
mod noise;
mod passes;
mod places;
mod plant_models;
mod plants;
mod progress;
mod refinement;
mod region;
mod rivers;
mod rock;
mod scene;
mod simplify;
mod snow;
mod strata;
mod thermal;
mod validity;
mod vary;
mod watershed;
mod wind_waves;
