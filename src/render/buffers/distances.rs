//! Distance buffer for deferred shading: render types that light each pixel once.

use glium::texture::{Texture2d, Texture2dMultisample};
use glium::uniforms::{UniformValue, Uniforms};

/// Texture with the distance of the visible surface.
pub(crate) enum DistanceBuffer {
    /// One value per pixel.
    Plain(Texture2d),
    /// One value per sample.
    Multisampled(Texture2dMultisample),
    /// Two values per pixel and their coverage, see `raycast::Layer`.
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
