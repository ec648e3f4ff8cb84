//! How what is drawn is laid over what is there.

use glium::{Blend, BlendingFunction, LinearBlendingFactor};

/// Colours with an alpha of their own, whose alpha covers what is there.
pub(crate) fn over() -> Blend {
    Blend {
        color: laid(LinearBlendingFactor::SourceAlpha),
        ..premultiplied_over()
    }
}

/// Colours that are multiplied by their alpha already.
pub(crate) fn premultiplied_over() -> Blend {
    let laid = laid(LinearBlendingFactor::One);
    Blend {
        color: laid,
        alpha: laid,
        ..Blend::default()
    }
}

fn laid(source: LinearBlendingFactor) -> BlendingFunction {
    BlendingFunction::Addition {
        source,
        destination: LinearBlendingFactor::OneMinusSourceAlpha,
    }
}
