//! How much memory of the graphics card is taken: what was asked for, which drivers may round up.

use glium::texture::Texture2d;

/// Bytes of a texture with its mipmaps, of so many bytes a texel.
pub(super) fn bytes(texture: &Texture2d, texel: u64) -> u64 {
    let (width, height) = (u64::from(texture.width()), u64::from(texture.height()));
    let levels = 0..texture.get_mipmap_levels();
    let texels = levels.map(|level| (width >> level).max(1) * (height >> level).max(1));
    texels.sum::<u64>() * texel
}
