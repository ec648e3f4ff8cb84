//! Plan of an export: the map, its options and the output files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::error::ExportError;
use super::file::OutputFile;
use super::format::{Content, Format};
use super::georeference;
use super::names::{filled, has_word};
use super::options::Options;
use super::outputs::Output;
use super::request::MapRequest;
use crate::pipeline::inputs::Inputs;
use crate::scene::Scene;
use crate::shading::maps::splat::Bands;
use crate::shading::maps::{Kind, Map};
use crate::shading::texture::Palette;

/// Checked plan of an export; nothing is generated yet.
#[derive(Debug)]
pub struct Plan<'a> {
    /// Scene to export.
    pub scene: &'a Scene,
    /// Colours by height.
    pub palette: &'a Palette,
    /// Map to write.
    pub map: &'static Map,
    /// Options that are not part of the scene.
    pub options: Options,
    /// Paths of the files, with placeholders for tiles and bands, and their formats.
    files: Vec<(PathBuf, &'static Format)>,
    /// First band of each picture of a mask map; a single `None` for other maps.
    bands: Vec<Option<usize>>,
}

/// An output file that is being written.
#[derive(Debug)]
pub struct OpenFile {
    /// Destination.
    pub target: OutputFile,
    /// Format of the file.
    pub format: &'static Format,
    /// Request that it fulfils.
    pub request: MapRequest,
}

/// Output files of an export. Paths may have placeholders for tiles and bands. From `inputs` only the
/// palette is used.
///
/// # Errors
/// The format or the palette is unknown, options do not suit the map or a format, or a placeholder for
/// tiles or bands is missing.
pub fn outputs(
    paths: &[impl AsRef<Path>],
    scene: &Scene,
    inputs: &Inputs,
    options: &Options,
) -> Result<Vec<Output>, ExportError> {
    let palette = inputs.palette(&scene.view.palette)?;
    Ok(Plan::new(paths, scene, &palette, options)?.outputs())
}

impl<'a> Plan<'a> {
    /// Plan the export of a scene to these files.
    pub fn new(
        paths: &[impl AsRef<Path>],
        scene: &'a Scene,
        palette: &'a Palette,
        options: &Options,
    ) -> Result<Self, ExportError> {
        let map = options.map();
        options.check_map()?;
        let bands = first_bands(map, palette);
        let mut files = Vec::new();
        for path in paths.iter().map(AsRef::as_ref) {
            let format = options.format_of(path)?;
            if map.is_heights() {
                options.check_format(format)?;
            }
            options
                .tiles
                .map_or(Ok(()), |tiles| tiles.check_name(path))?;
            if bands.len() > 1 && !has_word(path, "band") {
                return Err(ExportError::BandName {
                    pictures: bands.len(),
                    path: path.to_owned(),
                });
            }
            files.push((path.to_owned(), format));
        }
        Ok(Self {
            scene,
            palette,
            map,
            options: *options,
            files,
            bands,
        })
    }

    /// Formats of all files.
    pub fn formats(&self) -> impl Iterator<Item = &'static Format> {
        self.files.iter().map(|(_, format)| *format)
    }

    /// True if a mesh is written.
    pub fn has_mesh(&self) -> bool {
        self.formats().any(Format::is_mesh)
    }

    /// All output files.
    pub fn outputs(&self) -> Vec<Output> {
        let (mut outputs, mut placed) = (Vec::new(), BTreeSet::new());
        for (pattern, format) in &self.files {
            for tile in self.tiles() {
                for (path, request) in self.names(pattern, format, tile) {
                    let beside = match &format.content {
                        Content::Mesh(mesh) => mesh.files_beside(&path),
                        Content::Rows(_) | Content::Whole(_) => {
                            let mut files = georeference::files_beside(format, self.scene, &path);
                            files.retain(|file| placed.insert(file.clone()));
                            files
                        }
                    };
                    outputs.push(Output::map(path, request, beside));
                }
            }
        }
        outputs
    }

    /// Row and column of every tile; a single `None` without tiles.
    pub fn tiles(&self) -> Vec<Option<(u32, u32)>> {
        match self.options.tiles {
            Some(tiles) => tiles.places().map(Some).collect(),
            None => vec![None],
        }
    }

    /// Create the files of a tile, or those of the only piece.
    pub fn open(&self, tile: Option<(u32, u32)>) -> Result<Vec<OpenFile>, ExportError> {
        let mut open = Vec::new();
        for (pattern, format) in &self.files {
            for (path, request) in self.names(pattern, format, tile) {
                open.push(OpenFile {
                    target: OutputFile::create(&path)?,
                    format,
                    request,
                });
            }
        }
        Ok(open)
    }

    /// File names and requests of a pattern for one tile.
    fn names(
        &self,
        pattern: &Path,
        format: &'static Format,
        tile: Option<(u32, u32)>,
    ) -> impl Iterator<Item = (PathBuf, MapRequest)> {
        let pattern = match self.options.tiles.zip(tile) {
            Some((tiles, tile)) => tiles.file(pattern, tile),
            None => pattern.to_owned(),
        };
        self.bands.iter().map(move |band| {
            let path = match band {
                Some(band) => filled(&pattern, &[("band", &band.to_string())]),
                None => pattern.clone(),
            };
            let request = MapRequest::new(&self.options, format, tile, *band);
            (path, request)
        })
    }
}

/// First band of each picture of a map.
fn first_bands(map: &Map, palette: &Palette) -> Vec<Option<usize>> {
    match map.kind {
        Kind::Bands(channels) => {
            let bands = Bands::new(palette, (0.0, 1.0)).colors.len();
            (0..bands).step_by(channels).map(Some).collect()
        }
        _ => vec![None],
    }
}
