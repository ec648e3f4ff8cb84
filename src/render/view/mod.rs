//! Where things lie in a picture.

pub(super) mod camera;
pub(super) mod flat;
pub(super) mod frame;
