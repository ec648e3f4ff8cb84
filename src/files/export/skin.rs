//! Texture of a mesh: the map's colours with its covers, made a few rows at a time, and texture
//! coordinates of vertices.

use std::io::{self, Write};

use glam::Vec2;
use png::{BitDepth, ColorType, Compression, Encoder};

use super::header::Header;
use crate::files::formats::png::PROGRAM_CHUNK;
use crate::files::formats::program::PROGRAM;
use crate::shading::covers::CoverMap;
use crate::shading::texture::ByHeight;
use crate::terrain::heightmap::Heightmap;
use crate::util::parallel;

/// Maximum side of the texture, in texels.
const MOST_TEXELS: usize = 4096;
/// Rows made at once.
const BAND: usize = 32;

/// Texture with every `stride`-th sample of a map as a texel.
#[derive(Debug)]
pub struct Skin<'a> {
    map: &'a Heightmap,
    colors: ByHeight,
    covers: Option<&'a CoverMap>,
    stride: usize,
}

impl<'a> Skin<'a> {
    /// Texture for a mesh of `map`, from the finer map for textures if there is one.
    pub fn new(map: &'a Heightmap, header: &Header<'a>) -> Self {
        let [own, finer] = header.piece.covers;
        let (map, covers) = match header.piece.finer {
            Some(map) => (map, finer),
            None => (map, own),
        };
        Self {
            covers,
            map,
            colors: header.colors(map),
            stride: map.rows().max(map.columns()).div_ceil(MOST_TEXELS),
        }
    }

    /// Rows and columns of texels.
    fn size(&self) -> [usize; 2] {
        [self.map.rows(), self.map.columns()].map(|count| count.div_ceil(self.stride))
    }

    /// Texture coordinates of a place on the map, both 0…1, v from north to south. Samples map to the
    /// centres of texels.
    pub fn uv(&self, place: Vec2) -> [f32; 2] {
        let [rows, columns] = self.size();
        let texel = |place: f32, samples: usize, texels: usize| {
            let sample = f64::from(place) * (samples - 1) as f64;
            ((sample / self.stride as f64 + 0.5) / texels as f64) as f32
        };
        [
            texel(place.x, self.map.columns(), columns),
            texel(place.y, self.map.rows(), rows),
        ]
    }

    /// Write the texture as PNG.
    pub fn png(&self, sink: impl Write, header: &Header<'_>) -> io::Result<()> {
        let [rows, columns] = self.size();
        let mut encoder = Encoder::new(sink, columns as u32, rows as u32);
        encoder.set_color(ColorType::Rgb);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_compression(Compression::Fast);
        encoder.add_text_chunk(PROGRAM_CHUNK.to_owned(), PROGRAM.to_owned())?;
        let mut writer = encoder.write_header()?;
        let mut out = writer.stream_writer()?;
        let mut band = vec![[0u8; 3]; BAND * columns];
        for first in (0..rows).step_by(BAND) {
            header.piece.job.check().map_err(io::Error::other)?;
            let band = &mut band[..columns * BAND.min(rows - first)];
            parallel::par_items(band.chunks_mut(columns)).for_each(|row, texels| {
                let row = (first + row) * self.stride;
                let heights = self.map.row(row).iter().enumerate();
                let heights = heights.step_by(self.stride);
                for (texel, (column, height)) in texels.iter_mut().zip(heights) {
                    let color = self.colors.color(*height);
                    *texel = header.under(self.covers, self.map, [row, column], color);
                }
            });
            out.write_all(bytemuck::cast_slice(band))?;
        }
        out.finish()?;
        Ok(writer.finish()?)
    }
}
