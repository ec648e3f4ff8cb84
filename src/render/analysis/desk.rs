//! Inputs of the overlay: the landscape and the picture's size.

use crate::render::textures::heights::HeightTexture;
use crate::scene::Scene;
use crate::shading::texture::Palette;
use crate::terrain::heightmap::Heightmap;

/// A landscape and the size of its picture.
pub(super) struct Desk<'a> {
    pub(super) scene: &'a Scene,
    pub(super) palette: &'a Palette,
    pub(super) map: &'a HeightTexture,
    /// The thinned heights for contours, once available.
    pub(super) relief: Option<&'a Heightmap>,
    pub(super) size: (u32, u32),
}
