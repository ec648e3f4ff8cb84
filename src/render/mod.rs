//! Drawing through OpenGL 3.3, for windows and without a display alike.
//!
//! Everything here is written against glium's `Facade` and `Surface`. A window and a picture on
//! the command line both call [`Renderer::draw`], which draws offscreen; only the last copy
//! differs, so their pixels are equal by construction.
//!
//! A render type is one file (`lines`, `triangles`, `rendered`, `flat`, `ridge`) and one line in
//! `subject`. The three that show the ground in space share `ground`, which
//! draws one instanced patch wherever [`lod`] says; heights live in one texture and are fetched
//! in the vertex shader, so tiles cost no memory.
//!
//! Colours are those shown on screen (sRGB) from palette to pixel, as in Martz's program: light
//! multiplies and fog mixes them as they are. In `landscape` and `sky` they are linear light until
//! the last step.

use std::fmt::Display;
use std::sync::{Arc, Weak};

mod analysis;
mod backdrop;
mod bake;
pub mod camera;

mod course;
mod development;
mod distances;
mod exposure;
mod flat;
mod frame;
mod glass;
mod ground;
pub mod headless;
mod height_texture;
mod landscape;
mod landscape_sky;
mod lines;
pub mod lod;
mod memory;
mod normals;
mod pass;
mod points;
mod programs;
mod rate;
mod rendered;
mod renderer;
mod ridge;
mod room;
mod scenery;
mod skirt;
mod sky;
mod spans;
mod strokes;
mod subject;
mod target;
mod triangles;
mod upload;
mod values;
mod visibility;
mod water;

pub use course::Rates;
pub use development::Development;
pub use distances::Distances;
pub use exposure::{Exposure, MOST_SAMPLES, Shot};
pub use flat::rectangle as flat_rectangle;
pub use glass::Glass;
pub use headless::{Headless, Studio, picture};
pub use pass::DrawStats;
pub use programs::compile_all;
pub use renderer::Renderer;
pub use room::check_room;
pub use upload::Upload;

/// Why there is no picture, on one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    /// No driver that can draw without a display.
    #[error("no OpenGL 3.3: install libegl1 libegl-mesa0 libgl1-mesa-dri (Debian, Ubuntu)")]
    NoOpenGl,
    /// Fewer threads than a driver starts.
    #[error("drawing needs {needed} threads more, which the system has not got")]
    NoThreads {
        /// How many.
        needed: usize,
    },
    /// Fewer addresses than a driver takes.
    #[error(
        "drawing needs {} MB of address space, {} MB are free (see `ulimit -v`)",
        needed >> 20, free >> 20
    )]
    NoAddresses {
        /// Bytes needed.
        needed: u64,
        /// Bytes free.
        free: u64,
    },
    /// The driver is older than OpenGL 3.3.
    #[error("OpenGL 3.3 is needed, the driver has {found}")]
    TooOld {
        /// What the driver calls its version.
        found: String,
    },
    /// A picture that the driver cannot hold.
    #[error(
        "picture size {}x{}, allowed is 1x1 to {}x{} on this driver",
        asked.0, asked.1, allowed.0, allowed.1
    )]
    Size {
        /// Width and height as asked.
        asked: (u32, u32),
        /// Largest width and height.
        allowed: (u32, u32),
    },
    /// A shader does not compile on this driver.
    #[error("shader `{program}`: {message}")]
    Shader {
        /// Name of the program, that of its files in `shaders/`.
        program: &'static str,
        /// What the driver says.
        message: String,
    },
    /// More memory than drivers give to one buffer.
    #[error("no memory for {what}: it needs {megabytes} MB, allowed are 1024")]
    OutOfMemory {
        /// What was to be made.
        what: &'static str,
        /// Its size.
        megabytes: u64,
    },
    /// The driver refused something else.
    #[error("OpenGL refused {what}: {message}")]
    Driver {
        /// What was to be made or drawn.
        what: &'static str,
        /// What glium or the driver says.
        message: String,
    },
}

/// `result.refused("the height texture")?`: glium's many error types as one line of ours.
trait Refused<T> {
    fn refused(self, what: &'static str) -> Result<T, RenderError>;
}

impl<T, E: Display> Refused<T> for Result<T, E> {
    fn refused(self, what: &'static str) -> Result<T, RenderError> {
        self.map_err(|error| RenderError::Driver {
            what,
            message: one_line(&error.to_string()),
        })
    }
}

fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether `new` is not what was uploaded. The weak handle keeps its address from being used again.
fn changed<T>(old: &Weak<T>, new: &Arc<T>) -> bool {
    !std::ptr::eq(old.as_ptr(), Arc::as_ptr(new))
}
