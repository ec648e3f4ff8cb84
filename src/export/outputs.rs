//! The files that a run writes: known, and checked, before the first of them is made.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::commit::{finish, fits_beside, is_changed};
use super::maps::{bands_of, format_of_map};
use super::names::filled;
use super::own::{is_replaceable, is_replaceable_sidecar, own_sidecar};
use super::picture::is_picture;
use super::request::{PictureRequest, Request, as_json, is_same};
use super::target::{companion_place, is_standard_output, place_of, write_error};
use super::{Content, ExportError, Options, Tiles, portable, sidecar};
use crate::import::{fitting_sidecar, sidecar_of};
use crate::inputs::Inputs;
use crate::maps::HEIGHTS;
use crate::scene::Scene;

/// A file that is to be written, with what will lie beside it.
#[derive(Clone, Debug)]
pub struct Output {
    path: PathBuf,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// A map or a mesh, which has a sidecar, and the files beside it.
    Map(Request, Vec<PathBuf>),
    /// A picture, which is alone.
    Picture(PictureRequest),
    /// Any other file.
    Plain,
}

/// The files that an export of a scene writes under a name, which may be a pattern of tiles and
/// bands. Of `inputs` the palette is enough.
///
/// # Errors
/// An unknown format or palette; a pattern without a place for tiles or bands.
pub fn outputs(
    pattern: &Path,
    scene: &Scene,
    inputs: &Inputs,
    options: &Options,
    tiles: Option<Tiles>,
) -> Result<Vec<Output>, ExportError> {
    let map = options.map.unwrap_or(&HEIGHTS);
    let format = format_of_map(pattern, map, options.format)?;
    tiles.map_or(Ok(()), |tiles| tiles.check_name(pattern))?;
    let bands = bands_of(pattern, map, scene, inputs)?;
    let whole = Request::new(*options).in_format(format);
    let named = |path: PathBuf, request: Request| {
        bands.iter().map(move |band| {
            let band = band.map(|band| (band, band.to_string()));
            let word = band.as_ref().map(|(_, text)| ("band", text.as_str()));
            let path = filled(&path, word.as_slice());
            let beside = match &format.content {
                Content::Mesh(content) => content.files_beside(&path),
                _ => Vec::new(),
            };
            let request = request.of_band(band.as_ref().map(|(band, _)| *band));
            Output {
                path,
                kind: Kind::Map(request, beside),
            }
        })
    };
    Ok(match tiles {
        None => named(pattern.to_owned(), whole).collect(),
        Some(tiles) => tiles
            .places()
            .flat_map(|place| named(tiles.file(pattern, place), whole.of_tile(tiles, place)))
            .collect(),
    })
}

impl Output {
    /// A picture.
    #[must_use]
    pub fn picture(path: &Path, request: PictureRequest) -> Self {
        Self {
            path: path.to_owned(),
            kind: Kind::Picture(request),
        }
    }

    /// A file with nothing beside it, such as a scene.
    #[must_use]
    pub fn plain(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            kind: Kind::Plain,
        }
    }

    /// The file itself.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it goes to standard output.
    #[must_use]
    pub fn is_standard_output(&self) -> bool {
        is_standard_output(&self.path)
    }

    /// The files that lie beside it: its sidecar first, if it has one.
    #[must_use]
    pub fn others(&self) -> Vec<PathBuf> {
        match &self.kind {
            Kind::Map(_, beside) if !self.is_standard_output() => {
                let sidecar = std::iter::once(sidecar_of(&self.path));
                sidecar.chain(beside.iter().cloned()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether it is there, complete and just as it would be written for that scene.
    #[must_use]
    pub fn is_finished(&self, scene: &Scene) -> bool {
        match &self.kind {
            Kind::Map(request, _) => fitting_sidecar(&self.path).is_some_and(|said| {
                is_same(&said["request"], &as_json(request, scene))
                    && is_same(
                        &said["scene"],
                        &sidecar::as_json(&portable(scene, &self.path)),
                    )
                    && fits_beside(&self.path, &said)
            }),
            Kind::Picture(request) => is_picture(&self.path, *request, scene),
            Kind::Plain => false,
        }
    }

    /// Finishes what a killed run has left of it.
    fn finish(&self) -> Result<(), ExportError> {
        let others = self.others();
        let said = others.first().and_then(|sidecar| own_sidecar(sidecar));
        finish(&self.path, said.as_ref(), &others)
    }

    /// The first of its files that is somebody else's and may not be replaced.
    fn foreign(&self, may_replace: &dyn Fn(&Path) -> bool) -> Option<PathBuf> {
        let others = self.others();
        let sidecar = others.first();
        let sidecar = sidecar.filter(|file| !is_replaceable_sidecar(file) && !may_replace(file));
        let said = others.first().and_then(|sidecar| own_sidecar(sidecar));
        let is_changed = |file: &Path| said.as_ref().is_some_and(|s| is_changed(file, s));
        let mut beside = others.iter().skip(1);
        let mut other = std::iter::once(&self.path).chain(beside.clone());
        sidecar
            .or_else(|| other.find(|file| !is_replaceable(file) && !may_replace(file)))
            .or_else(|| beside.find(|file| is_changed(file) && !may_replace(file)))
            .cloned()
    }
}

/// Checks all files of a run before the first is made, and finishes what a killed run has left of
/// them. `inputs` are the files that the run reads; `may_replace` says of a file that is not from
/// Landform whether it may be replaced all the same.
///
/// # Errors
/// A device, a pipe, a folder or a link in the place of a file; a folder that takes none; one name
/// for two files; an input that would be lost; another's file.
pub fn check_outputs<'a>(
    outputs: impl IntoIterator<Item = &'a Output> + Clone,
    inputs: &[PathBuf],
    may_replace: &dyn Fn(&Path) -> bool,
) -> Result<(), ExportError> {
    let files = |output: &Output| !output.is_standard_output();
    let mut places = Places::new(inputs);
    for output in outputs.clone().into_iter().filter(|output| files(output)) {
        places.add(output.path(), place_of(output.path())?)?;
        for file in output.others() {
            places.add(&file, companion_place(&file)?)?;
        }
    }
    for output in outputs.into_iter().filter(|output| files(output)) {
        output.finish()?;
        if let Some(path) = output.foreign(may_replace) {
            return Err(ExportError::Foreign { path });
        }
    }
    Ok(())
}

/// Places that are taken.
struct Places {
    inputs: HashSet<Identity>,
    files: HashSet<PathBuf>,
    /// Folders as named and as they are; they take files.
    folders: HashMap<PathBuf, PathBuf>,
}

impl Places {
    fn new(inputs: &[PathBuf]) -> Self {
        Self {
            inputs: inputs.iter().filter_map(|path| identity(path)).collect(),
            files: HashSet::new(),
            folders: HashMap::new(),
        }
    }

    /// Takes `place`, which is that of the file named `path`.
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
            return Err(ExportError::OneName {
                path: path.to_owned(),
            });
        }
        match identity(path) {
            Some(identity) if self.inputs.contains(&identity) => Err(ExportError::Output {
                what: "an input, too",
                path: path.to_owned(),
            }),
            _ => Ok(()),
        }
    }
}

/// What a file is, whatever it is called.
#[cfg(unix)]
type Identity = (u64, u64);
#[cfg(not(unix))]
type Identity = PathBuf;

#[cfg(unix)]
fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    let there = path.metadata().ok()?;
    Some((there.dev(), there.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<Identity> {
    path.canonicalize().ok()
}
