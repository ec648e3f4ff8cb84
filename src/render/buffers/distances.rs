//! How far what is drawn is: for render types that light each pixel once.

use glium::texture::{Texture2d, Texture2dMultisample};
use glium::uniforms::{UniformValue, Uniforms};

/// A texture of how far away what is drawn is.
pub(crate) enum DistanceBuffer {
    /// A number for each pixel.
    Plain(Texture2d),
    /// One for each sample.
    Multisampled(Texture2dMultisample),
    /// Two for each pixel, and how much of it shows each: see `planes::Layer`.
    Layered(Texture2d),
}

impl Uniforms for DistanceBuffer {
    fn visit_values<'a, F: FnMut(&str, UniformValue<'a>)>(&'a self, mut visit: F) {
        match self {
            Self::Plain(texture) => visit("distances", UniformValue::Texture2d(texture, None)),
            Self::Multisampled(texture) => {
                visit(
                    "distances",
                    UniformValue::Texture2dMultisample(texture, None),
                );
            }
            Self::Layered(texture) => visit("layers", UniformValue::Texture2d(texture, None)),
        }
    }
}
