//! The core: generating, modifying, measuring, meshes and light. No files, no OpenGL.

mod architecture;
mod bias;
mod covers;
mod drainage;
mod erosion;
mod fractal;
mod functions;
mod generators;
mod gullies;
mod inland;
mod layers;
mod light;
mod masks;
mod measure;
mod mesh;
mod modify;
mod noise;
mod passes;
mod refinement;
mod region;
mod rivers;
mod scene;
mod simplify;
mod strata;
mod thermal;
mod watershed;
