//! What a map is uploaded as.

pub(super) mod canopy;
pub(super) mod covers;
pub(super) mod heights;
pub(super) mod mask;
pub(super) mod normals;
pub(super) mod palette;
pub(super) mod rivers;
pub(super) mod visibility;
pub(super) mod weights;
