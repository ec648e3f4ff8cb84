//! Pictures: 8-bit colour PNG with the scene in a text chunk, so that a picture can be opened
//! again as the landscape it shows.

use std::io;
use std::path::Path;

use ::png::{BitDepth, ColorType, Compression, Encoder};

use super::ExportError;
use super::scene::portable;
use super::target::{Target, write_error};
use crate::grid::Grid;
use crate::import::SCENE_CHUNK;
use crate::scene::Scene;

/// Writes a picture (sRGB, row 0 at the top) of a scene as PNG, whatever the file's name.
///
/// # Errors
/// The file cannot be written.
pub fn picture(path: &Path, pixels: &Grid<[u8; 3]>, scene: &Scene) -> Result<(), ExportError> {
    let target = Target::create(path)?;
    let scene = &portable(scene, target.path());
    encode(pixels, scene, target.sink()?).map_err(write_error(path))?;
    target.commit()
}

fn encode(pixels: &Grid<[u8; 3]>, scene: &Scene, mut sink: super::Sink) -> io::Result<()> {
    let (width, height) = (pixels.columns() as u32, pixels.rows() as u32);
    let mut encoder = Encoder::new(&mut sink, width, height);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Balanced);
    add_scene(&mut encoder, scene)?;
    let mut writer = encoder.write_header()?;
    writer.write_image_data(bytemuck::cast_slice(pixels.as_slice()))?;
    writer.finish()?;
    io::Write::flush(&mut sink)
}

/// Puts the scene into a text chunk.
pub(super) fn add_scene<W: io::Write>(
    encoder: &mut Encoder<'_, W>,
    scene: &Scene,
) -> io::Result<()> {
    let text = scene.to_toml();
    if text.is_ascii() {
        encoder.add_text_chunk(SCENE_CHUNK.to_owned(), text)?;
    } else {
        encoder.add_itxt_chunk(SCENE_CHUNK.to_owned(), text)?;
    }
    Ok(())
}
