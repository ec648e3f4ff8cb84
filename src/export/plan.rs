//! What of a scene is written, and into which files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::ExportError;
use super::files::OpenFile;
use super::format::{Content, Format};
use super::georeference;
use super::options::Options;
use super::outputs::Output;
use super::pattern::{filled, has_word};
use super::request::MapRequest;
use super::target::Target;
use crate::inputs::Inputs;
use crate::maps::splat::Bands;
use crate::maps::{Kind, Map};
use crate::scene::Scene;
use crate::texture::Palette;

/// What of a scene is written, and into which files; checked, but nothing is made of it yet.
#[derive(Debug)]
pub struct Plan<'a> {
    /// The scene.
    pub scene: &'a Scene,
    /// Its colours.
    pub palette: &'a Palette,
    /// Which map of it is written.
    pub map: &'static Map,
    /// The choices that the scene does not hold.
    pub options: Options,
    /// The names of the files, which may be patterns of tiles and bands, and their formats.
    files: Vec<(PathBuf, &'static Format)>,
    /// The first bands of the pictures that each file becomes: one that is none, unless the map
    /// is one of masks.
    bands: Vec<Option<usize>>,
}

/// The files that an export of a scene writes under these names, which may be patterns of tiles
/// and bands. Of `inputs` the palette is enough.
///
/// # Errors
/// An unknown format or palette; what the map or a format is not written with; a pattern without
/// a place for tiles or bands.
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
    /// The plan to write a scene into these files.
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

    /// The formats of all files.
    pub fn formats(&self) -> impl Iterator<Item = &'static Format> {
        self.files.iter().map(|(_, format)| *format)
    }

    /// Whether a mesh is among them.
    pub fn has_mesh(&self) -> bool {
        self.formats().any(Format::is_mesh)
    }

    /// All files.
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

    /// Row and column of every tile; one that is none where there are no tiles.
    pub fn tiles(&self) -> Vec<Option<(u32, u32)>> {
        match self.options.tiles {
            Some(tiles) => tiles.places().map(Some).collect(),
            None => vec![None],
        }
    }

    /// Opens the files of a tile, or of the only piece.
    pub fn open(&self, tile: Option<(u32, u32)>) -> Result<Vec<OpenFile>, ExportError> {
        let mut open = Vec::new();
        for (pattern, format) in &self.files {
            for (path, request) in self.names(pattern, format, tile) {
                open.push(OpenFile {
                    target: Target::create(&path)?,
                    format,
                    request,
                });
            }
        }
        Ok(open)
    }

    /// The names that a pattern stands for in a tile, and what is asked of each file.
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

/// The first bands of the pictures that a map becomes.
fn first_bands(map: &Map, palette: &Palette) -> Vec<Option<usize>> {
    match map.kind {
        Kind::Bands(channels) => {
            let bands = Bands::new(palette, (0.0, 1.0)).colors.len();
            (0..bands).step_by(channels).map(Some).collect()
        }
        _ => vec![None],
    }
}
