//! Plan of an export: the map, its options, and the output files, which are listed and checked before the
//! first is written.
//!
//! Requests are stored as JSON in the sidecar or in a picture's text chunk. A later run compares them to
//! find out if a file is already what it would write. They are serialized from the option structs, so that
//! no option can be missed.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use ::png::Decoder;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::error::{ExportError, write_error};
use super::file::{OutputFile, TempFile, Together};
use super::format::{Content, Format};
use super::georeference::{files_beside, maps_placed_by};
use super::names::{filled, has_word, is_standard_output, portable};
use super::options::{Options, PlantRequest};
use super::overwrite_guard::{
    Identity, allow, companion_place, identity, is_allowed, is_replaceable,
    is_replaceable_companion, place_of,
};
use crate::files::formats::checksum::checksum_at;
use crate::files::formats::png::PICTURE_CHUNK;
use crate::files::formats::recipe::scene_as_json;
use crate::files::formats::sidecar::{self, sidecar_of};
use crate::files::import::{self, is_builtin, reads};
use crate::pipeline::inputs::Inputs;
use crate::scene::Scene;
use crate::shading::maps::splat::Bands;
use crate::shading::maps::{Kind, Map, materials};
use crate::shading::texture::Palette;
use crate::util::language::mark;

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
    /// Export whose files are renamed together with those of this plan.
    pub together: Option<&'a Together>,
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
    let palette = inputs.palette_of(scene)?;
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
            if map.holds_heights() {
                options.check_format(format)?;
            }
            if let Some(tiles) = options.tiles {
                tiles.check_name(path)?;
            }
            files.push((with_band(path, bands.len())?, format));
        }
        Ok(Self {
            scene,
            palette,
            map,
            options: *options,
            files,
            bands,
            together: None,
        })
    }

    /// The plan with files that are renamed together with others.
    pub fn with(self, together: &'a Together) -> Self {
        let together = Some(together);
        Self { together, ..self }
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
                            let mut files = files_beside(format, self.scene, &path);
                            files.retain(|file| placed.insert(file.clone()));
                            files
                        }
                    };
                    let kind = OutputKind::Map(request, beside);
                    outputs.push(Output { path, kind });
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

    /// Word for a band in file names: the name of a material, or a number.
    fn band_name(&self, band: usize) -> String {
        match self.map.kind {
            Kind::Materials => materials::NAMES[band].to_owned(),
            _ => band.to_string(),
        }
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
                Some(band) => filled(&pattern, &[("band", &self.band_name(*band))]),
                None => pattern.clone(),
            };
            let options = Options {
                format: Some(format),
                map: Some(self.map),
                ..self.options
            };
            let request = MapRequest {
                options,
                tile,
                band: *band,
            };
            (path, request)
        })
    }
}

/// Path of a map's pictures, with the placeholder for bands. A name without it gets one before the extension.
///
/// # Errors
/// Several pictures would go to standard output.
fn with_band(path: &Path, pictures: usize) -> Result<PathBuf, ExportError> {
    let path = path.to_owned();
    if pictures <= 1 || has_word(&path, "band") {
        return Ok(path);
    }
    if is_standard_output(&path) {
        return Err(ExportError::BandName { pictures, path });
    }
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push("-{band}");
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    Ok(path.with_file_name(name))
}

/// Number of pictures into which a map goes: 1 for all but masks.
#[must_use]
pub fn pictures_of(map: &Map, palette: &Palette) -> usize {
    first_bands(map, palette).len()
}

/// First band of each picture of a map.
fn first_bands(map: &Map, palette: &Palette) -> Vec<Option<usize>> {
    match map.kind {
        Kind::Bands(channels) => {
            let bands = Bands::new(palette, (0.0, 1.0)).colors.len();
            (0..bands).step_by(channels).map(Some).collect()
        }
        Kind::Materials => (0..materials::COUNT).map(Some).collect(),
        _ => vec![None],
    }
}

/// An output file with its companion files.
#[derive(Clone, Debug)]
pub struct Output {
    path: PathBuf,
    kind: OutputKind,
}

#[derive(Clone, Debug)]
enum OutputKind {
    /// Map or mesh with its request and companion files; it also has a sidecar.
    Map(MapRequest, Vec<PathBuf>),
    /// Picture, without a sidecar or companion files.
    Picture(PictureRequest),
    /// Plants, with a sidecar.
    Plants(PlantRequest),
    /// List of the other files in its folder, which are these and it itself.
    Folder(Vec<PathBuf>),
    /// Any other file.
    Plain,
}

impl Output {
    /// Picture output.
    #[must_use]
    pub fn picture(path: &Path, request: PictureRequest) -> Self {
        Self {
            path: path.to_owned(),
            kind: OutputKind::Picture(request),
        }
    }

    /// Output of plants.
    #[must_use]
    pub fn plants(path: &Path, request: PlantRequest) -> Self {
        Self {
            path: path.to_owned(),
            kind: OutputKind::Plants(request),
        }
    }

    /// Folder of files, of which `list` holds the names and the checksums.
    #[must_use]
    pub fn folder(list: &Path, files: Vec<PathBuf>) -> Self {
        let others = files.into_iter().filter(|file| file != list).collect();
        Self {
            path: list.to_owned(),
            kind: OutputKind::Folder(others),
        }
    }

    /// Output file without companion files, such as a scene.
    #[must_use]
    pub fn plain(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            kind: OutputKind::Plain,
        }
    }

    /// Path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// True if it goes to standard output.
    #[must_use]
    pub fn is_standard_output(&self) -> bool {
        is_standard_output(&self.path)
    }

    /// Paths of the files beside it: first the sidecar, then the companion files.
    #[must_use]
    pub fn others(&self) -> Vec<PathBuf> {
        match &self.kind {
            OutputKind::Map(_, beside) if !self.is_standard_output() => {
                let sidecar = std::iter::once(sidecar_of(&self.path));
                sidecar.chain(beside.iter().cloned()).collect()
            }
            OutputKind::Plants(_) => vec![sidecar_of(&self.path)],
            OutputKind::Folder(others) => others.clone(),
            _ => Vec::new(),
        }
    }

    /// True if the file exists, complete and as it would be written for this scene.
    #[must_use]
    pub fn is_finished(&self, scene: &Scene) -> bool {
        match &self.kind {
            OutputKind::Map(request, _) => request.is_fulfilled(&self.path, scene),
            OutputKind::Plants(request) => is_made(request, &self.path, scene),
            OutputKind::Picture(request) => request.is_fulfilled(&self.path, scene),
            OutputKind::Folder(_) | OutputKind::Plain => false,
        }
    }

    /// First existing file that may not be replaced. The second argument of `may_replace` is true for an
    /// unchanged file of Landform's own.
    fn foreign(&self, may_replace: &dyn Fn(&Path, bool) -> bool) -> Option<PathBuf> {
        let main = [self.path.clone()];
        let others = self.others();
        if let OutputKind::Folder(_) = &self.kind {
            let mut files = main.iter().chain(&others);
            // Each file is the main one of the list, or one of its companions.
            let is_own = |file: &Path| is_replaceable_companion(file, [file.to_owned()]);
            return files.find(|file| !may_replace(file, is_own(file))).cloned();
        }
        let (sidecar, companions) = others.split_at(others.len().min(1));
        let is_own_companion =
            |file: &Path| is_replaceable_companion(file, maps_placed_by(file).chain(main.clone()));
        let mut files = sidecar.iter().chain(&main);
        let foreign = files.find(|file| !may_replace(file, is_replaceable(file)));
        let mut companions = companions.iter();
        let foreign =
            foreign.or_else(|| companions.find(|file| !may_replace(file, is_own_companion(file))));
        foreign.cloned()
    }
}

/// Check all output files of a run before the first is made, and remove what a killed run has left.
/// `inputs` are the files that the run reads. `may_replace` decides about files that are not from
/// Landform; its permission holds only for the file as it is now.
///
/// # Errors
/// An output path is a device, pipe, folder or bad link; a folder is not writable; two outputs have one
/// path; an input would be overwritten; a file is not from Landform.
pub fn check_outputs<'a>(
    outputs: impl IntoIterator<Item = &'a Output> + Clone,
    inputs: &[PathBuf],
    may_replace: &dyn Fn(&Path) -> bool,
) -> Result<(), ExportError> {
    let files = |output: &Output| !output.is_standard_output();
    let mut places = Places {
        inputs: inputs.iter().filter_map(|path| identity(path)).collect(),
        files: HashSet::new(),
        folders: HashMap::new(),
    };
    for output in outputs.clone().into_iter().filter(|output| files(output)) {
        places.add(output.path(), place_of(output.path())?)?;
        for file in output.others() {
            places.add(&file, companion_place(&file)?)?;
        }
    }
    let may_replace = |file: &Path, is_own: bool| {
        let may = is_own || is_allowed(file) || may_replace(file);
        if may {
            allow(file);
        }
        may
    };
    for output in outputs.into_iter().filter(|output| files(output)) {
        let mut leftovers = Vec::new();
        // The main file first: another run renames its sidecar last, so it cannot be missed.
        for path in [&output.path].into_iter().chain(&output.others()) {
            leftovers.extend(TempFile::leftover(path).map_err(write_error(path))?);
        }
        // A sidecar that was left may tell whose a file is, so it is removed only after this check.
        if let Some(path) = output.foreign(&may_replace) {
            return Err(ExportError::Foreign { path });
        }
    }
    Ok(())
}

/// Set of output paths, with checks for collisions.
struct Places {
    inputs: HashSet<Identity>,
    files: HashSet<PathBuf>,
    /// Resolved folders by their names in paths; each has been checked to be writable.
    folders: HashMap<PathBuf, PathBuf>,
}

impl Places {
    /// Add `place`, the resolved location of the file at `path`.
    fn add(&mut self, path: &Path, place: PathBuf) -> Result<(), ExportError> {
        let folder = place.parent().filter(|folder| *folder != Path::new(""));
        let folder = folder.unwrap_or(Path::new("."));
        if !self.folders.contains_key(folder) {
            let takes_files = tempfile::tempfile_in(folder);
            let real = takes_files.and_then(|_| folder.canonicalize());
            let real = real.map_err(write_error(path))?;
            self.folders.insert(folder.to_owned(), real);
        }
        let name = place.file_name().unwrap_or_default();
        if !self.files.insert(self.folders[folder].join(name)) {
            let path = path.to_owned();
            return Err(ExportError::OneName { path });
        }
        match identity(path) {
            Some(identity) if self.inputs.contains(&identity) => Err(ExportError::Output {
                what: mark("an input, too"),
                path: path.to_owned(),
            }),
            _ => Ok(()),
        }
    }
}

/// Request for one file of a map.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct MapRequest {
    #[serde(flatten)]
    options: Options,
    /// Row and column of the tile.
    tile: Option<(u32, u32)>,
    /// First band of a mask picture.
    pub(super) band: Option<usize>,
}

/// Request for a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PictureRequest {
    /// Picture size in pixels, width and height.
    pub size: (u32, u32),
    /// Samples per pixel.
    pub samples: u32,
    /// True for a transparent background.
    pub transparent: bool,
}

impl MapRequest {
    /// True if a file is a map or mesh of this scene and request, with all companion files intact.
    pub fn is_fulfilled(&self, path: &Path, scene: &Scene) -> bool {
        is_made(self, path, scene)
    }
}

/// True if the sidecar of a file has this scene and request, and fits the file and all its companions.
fn is_made(request: &impl Serialize, path: &Path, scene: &Scene) -> bool {
    sidecar::fitting(path).is_some_and(|sidecar| {
        let mut companions = sidecar.beside.iter();
        is_same(sidecar.request.as_ref(), &as_json(request, scene))
            && portable(scene, path)
                .is_ok_and(|scene| is_same(sidecar.scene.as_ref(), &scene_as_json(&scene)))
            && companions.all(|file| file.fits(&path.with_file_name(&file.file)))
    })
}

impl PictureRequest {
    /// True if a file is a complete picture of this scene and request.
    pub(super) fn is_fulfilled(&self, path: &Path, scene: &Scene) -> bool {
        let wanted = as_json(self, scene).to_string();
        let shows = || {
            let held = import::scene(path).ok().flatten();
            // Input files may have been renamed, so their portable names are compared.
            let portable = |scene: &Scene| portable(scene, path).ok();
            held.is_some_and(|held| {
                portable(scene).is_some_and(|wanted| portable(&held) == Some(wanted))
            })
        };
        holds_whole(path, &wanted).unwrap_or(false) && shows()
    }
}

/// Request as JSON, with the checksums of the scene's input files.
pub fn as_json(request: &impl Serialize, scene: &Scene) -> Value {
    let mut value = json_of(request);
    let files = reads(scene);
    let sums = files
        .iter()
        .filter(|file| !is_builtin(file))
        .filter_map(|file| {
            let (length, sum) = checksum_at(file)?;
            Some(format!("{length} bytes, {sum}"))
        });
    let sums: Vec<_> = sums.collect();
    if !sums.is_empty() {
        value["inputs"] = sums.into();
    }
    value
}

/// Value as JSON with numbers as short as in a scene file: 0.7, not 0.699999988.
fn json_of(value: &impl Serialize) -> Value {
    let text = serde_json::to_string(value).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// True if JSON that was read equals the JSON form of a value.
fn is_same(read: Option<&Value>, value: &Value) -> bool {
    read == Some(&json_of(value))
}

/// True if a picture holds this request and all of its pixels decode with valid checksums.
fn holds_whole(path: &Path, request: &str) -> io::Result<bool> {
    if !path.is_file() {
        return Ok(false);
    }
    let mut reader = Decoder::new(BufReader::new(File::open(path)?)).read_info()?;
    let texts = &reader.info().uncompressed_latin1_text;
    let mut texts = texts.iter();
    if !texts.any(|text| text.keyword == PICTURE_CHUNK && text.text == request) {
        return Ok(false);
    }
    while reader.next_row()?.is_some() {}
    reader.finish()?;
    Ok(true)
}

impl Serialize for Map {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name)
    }
}
