//! View transforms, plan view layout and frames.

pub(super) mod camera;
pub(super) mod flat;
pub(super) mod frame;
