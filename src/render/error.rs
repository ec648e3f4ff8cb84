//! Errors of rendering, with glium's many error types converted to one.

use crate::util::language::tr;
use crate::util::words::one_line;
use std::fmt::Display;

/// Error of rendering, on one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    /// No driver that can draw without a display.
    #[error(
        "{}",
        tr!(
            "no OpenGL 3.3: install libegl1 libegl-mesa0 libgl1-mesa-dri (Debian, Ubuntu)"
        )
    )]
    NoOpenGl,
    /// Fewer threads available than the driver starts.
    #[error("{}", tr!("drawing needs {needed} more threads, which the system cannot provide", needed))]
    NoThreads {
        /// Number of threads needed.
        needed: usize,
    },
    /// The driver is older than OpenGL 3.3.
    #[error("{}", tr!("OpenGL 3.3 is needed, the driver has {found}", found))]
    TooOld {
        /// Version reported by the driver.
        found: String,
    },
    /// Picture size that the driver does not support.
    #[error(
        "{}",
        tr!(
            "picture size {}x{}; allowed: 1x1 to {}x{} on this driver",
            asked.0, asked.1, allowed.0, allowed.1
        )
    )]
    Size {
        /// Requested width and height.
        asked: (u32, u32),
        /// Maximum width and height.
        allowed: (u32, u32),
    },
    /// A shader does not compile on this driver.
    #[error("{}", tr!("shader `{program}`: {message}", program, message))]
    Shader {
        /// Name of the program, that of its files in `shaders/`.
        program: &'static str,
        /// Message of the driver.
        message: String,
    },
    /// More memory than drivers give to one buffer.
    #[error(
        "{}",
        tr!(
            "no memory for {what}: it needs {megabytes} MB; allowed: 1024",
            what, megabytes
        )
    )]
    OutOfMemory {
        /// The resource to be created.
        what: &'static str,
        /// Size of the resource.
        megabytes: u64,
    },
    /// Any other error of the driver.
    #[error("{}", tr!("OpenGL refused {what}: {message}", what, message))]
    Driver {
        /// The resource to be created or drawn.
        what: &'static str,
        /// Message of glium or the driver.
        message: String,
    },
}

/// Result of rendering.
pub(super) type Result<T = (), E = RenderError> = std::result::Result<T, E>;

/// `result.refused("the height texture")?` converts glium's many error types into [`RenderError`].
pub(super) trait Refused<T> {
    fn refused(self, what: &'static str) -> Result<T>;
}

impl<T, E: Display> Refused<T> for Result<T, E> {
    fn refused(self, what: &'static str) -> Result<T> {
        self.map_err(|error| RenderError::Driver {
            what,
            message: one_line(&error.to_string()),
        })
    }
}
