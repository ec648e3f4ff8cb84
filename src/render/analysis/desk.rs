//! What lines, labels and the legend of one picture are made from.

use crate::heightmap::Heightmap;
use crate::render::textures::heights::HeightTexture;
use crate::scene::Scene;
use crate::texture::Palette;

/// A landscape and the picture of it.
pub(super) struct Desk<'a> {
    pub(super) scene: &'a Scene,
    pub(super) palette: &'a Palette,
    pub(super) map: &'a HeightTexture,
    /// The heights as fine as they are shown, once they are there.
    pub(super) relief: Option<&'a Heightmap>,
    pub(super) size: (u32, u32),
}
