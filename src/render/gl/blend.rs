//! Blend modes.

use glium::{Blend, BlendingFunction, LinearBlendingFactor};

/// Source over destination, for colours with straight alpha.
pub(crate) fn over() -> Blend {
    Blend {
        color: laid(LinearBlendingFactor::SourceAlpha),
        ..premultiplied_over()
    }
}

/// Source over destination, for premultiplied colours.
pub(crate) fn premultiplied_over() -> Blend {
    let laid = laid(LinearBlendingFactor::One);
    Blend {
        color: laid,
        alpha: laid,
        ..Blend::default()
    }
}

/// Premultiplied source over destination, keeping the destination's alpha.
pub(crate) fn premultiplied_within() -> Blend {
    Blend {
        alpha: added(LinearBlendingFactor::Zero),
        ..premultiplied_over()
    }
}

/// Source over destination, for colours with straight alpha, keeping the destination's alpha.
pub(crate) fn within() -> Blend {
    Blend {
        color: laid(LinearBlendingFactor::SourceAlpha),
        ..premultiplied_within()
    }
}

/// Sum of premultiplied source and destination.
pub(crate) fn beside() -> Blend {
    all(LinearBlendingFactor::One)
}

/// Source under a premultiplied destination, for drawing front to back.
pub(crate) fn under() -> Blend {
    all(LinearBlendingFactor::OneMinusDestinationAlpha)
}

fn all(source: LinearBlendingFactor) -> Blend {
    Blend {
        color: added(source),
        alpha: added(source),
        ..Blend::default()
    }
}

fn added(source: LinearBlendingFactor) -> BlendingFunction {
    BlendingFunction::Addition {
        source,
        destination: LinearBlendingFactor::One,
    }
}

fn laid(source: LinearBlendingFactor) -> BlendingFunction {
    BlendingFunction::Addition {
        source,
        destination: LinearBlendingFactor::OneMinusSourceAlpha,
    }
}
