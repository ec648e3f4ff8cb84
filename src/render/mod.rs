//! Renderer on OpenGL 3.3, for windows and for headless use alike.
//!
//! Everything here is written against glium's `Facade` and `Surface`. A window and a picture on the command
//! line both call [`Renderer::draw`], which draws offscreen. Only the last copy differs, so their pixels are
//! equal by construction.
//!
//! Modules depend only on earlier ones in this list: `gl` wraps glium, `meshes` are the static vertex
//! buffers, `textures` the uploads of a map, `view` the cameras and viewports, `buffers` the render targets.
//! A `pass` is the context of every draw. `ground` selects the patches of the ground, `types` has one file
//! per render type, and `renderer` draws them in the order of `schedule`.
//!
//! The ground is either rasterized with continuous level of detail (`ground`) or ray cast on the CPU
//! (`raycast`), depending on the driver.
//!
//! Colours are those shown on screen (sRGB) from palette to pixel, as in Martz's program: light multiplies
//! and fog mixes them as they are. In `landscape` and `sky` they are linear light until the last step.

mod analysis;
mod backdrop;
mod buffers;
mod clipmap;
mod distances;
mod error;
mod frame_budget;
mod gl;
mod ground;
pub mod headless;
mod meshes;
mod pass;
mod plants;
mod points;
mod progressive_frame;
mod raycast;
mod renderer;
mod textures;
mod tiled_render;
mod tools;
mod types;
mod uploads;
mod view;

pub use distances::Distances;
pub use error::RenderError;
pub use gl::programs::compile_all;
pub use headless::{Headless, HeadlessRenderer, check_room, picture};
pub use pass::DrawStats;
pub use progressive_frame::{ProgressiveFrame, Rates};
pub use raycast::Field;
pub use renderer::Renderer;
pub use tiled_render::{MOST_SAMPLES, RenderRequest, TiledRender};
pub use tools::GroundPath;
pub use uploads::Upload;
pub use view::flat_rectangle;
