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

/// Colours that are multiplied by their alpha already, which cover what is there; its own alpha stays.
pub(crate) fn premultiplied_within() -> Blend {
    Blend {
        alpha: BlendingFunction::Addition {
            source: LinearBlendingFactor::Zero,
            destination: LinearBlendingFactor::One,
        },
        ..premultiplied_over()
    }
}

/// Colours beside what is there, both multiplied by their alpha.
pub(crate) fn beside() -> Blend {
    all(LinearBlendingFactor::One)
}

/// Colours below what is there, which is multiplied by its alpha: what comes first is nearest.
pub(crate) fn under() -> Blend {
    all(LinearBlendingFactor::OneMinusDestinationAlpha)
}

fn all(source: LinearBlendingFactor) -> Blend {
    let added = BlendingFunction::Addition {
        source,
        destination: LinearBlendingFactor::One,
    };
    Blend {
        color: added,
        alpha: added,
        ..Blend::default()
    }
}

fn laid(source: LinearBlendingFactor) -> BlendingFunction {
    BlendingFunction::Addition {
        source,
        destination: LinearBlendingFactor::OneMinusSourceAlpha,
    }
}
