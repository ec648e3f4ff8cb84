//! How far what is drawn is: for render types that light each pixel once.

use glium::texture::{Texture2d, Texture2dMultisample};
use glium::uniforms::{UniformValue, Uniforms};

/// A texture of how far away what is drawn is, one number for each sample.
pub(crate) enum DistanceBuffer {
    Plain(Texture2d),
    Multisampled(Texture2dMultisample),
}

impl Uniforms for DistanceBuffer {
    fn visit_values<'a, F: FnMut(&str, UniformValue<'a>)>(&'a self, mut visit: F) {
        let value = match self {
            Self::Plain(texture) => UniformValue::Texture2d(texture, None),
            Self::Multisampled(texture) => UniformValue::Texture2dMultisample(texture, None),
        };
        visit("distances", value);
    }
}
