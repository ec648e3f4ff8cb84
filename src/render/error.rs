//! Why there is no picture, and the many errors of glium as that one.

use crate::language::tr;
use crate::words::one_line;
use std::fmt::Display;

/// Why there is no picture, on one line.
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
    /// Fewer threads than a driver starts.
    #[error("{}", tr!("drawing needs {needed} threads more, which the system has not got", needed))]
    NoThreads {
        /// How many.
        needed: usize,
    },
    /// Fewer addresses than a driver takes.
    #[error(
        "{}",
        tr!(
            "drawing needs {} MB of address space, {} MB are free (see `ulimit -v`)",
            needed >> 20, free >> 20
        )
    )]
    NoAddresses {
        /// Bytes needed.
        needed: u64,
        /// Bytes free.
        free: u64,
    },
    /// The driver is older than OpenGL 3.3.
    #[error("{}", tr!("OpenGL 3.3 is needed, the driver has {found}", found))]
    TooOld {
        /// What the driver calls its version.
        found: String,
    },
    /// A picture that the driver cannot hold.
    #[error(
        "{}",
        tr!(
            "picture size {}x{}, allowed is 1x1 to {}x{} on this driver",
            asked.0, asked.1, allowed.0, allowed.1
        )
    )]
    Size {
        /// Width and height as asked.
        asked: (u32, u32),
        /// Largest width and height.
        allowed: (u32, u32),
    },
    /// A shader does not compile on this driver.
    #[error("{}", tr!("shader `{program}`: {message}", program, message))]
    Shader {
        /// Name of the program, that of its files in `shaders/`.
        program: &'static str,
        /// What the driver says.
        message: String,
    },
    /// More memory than drivers give to one buffer.
    #[error(
        "{}",
        tr!(
            "no memory for {what}: it needs {megabytes} MB, allowed are 1024",
            what, megabytes
        )
    )]
    OutOfMemory {
        /// What was to be made.
        what: &'static str,
        /// Its size.
        megabytes: u64,
    },
    /// The driver refused something else.
    #[error("{}", tr!("OpenGL refused {what}: {message}", what, message))]
    Driver {
        /// What was to be made or drawn.
        what: &'static str,
        /// What glium or the driver says.
        message: String,
    },
}

/// `result.refused("the height texture")?`: glium's many error types as one line of ours.
pub(super) trait Refused<T> {
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
