//! Output files of a run, listed and checked before the first is written.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::error::{ExportError, write_error};
use super::georeference::maps_placed_by;
use super::names::is_standard_output;
use super::overwrite_guard::{
    Identity, allow, companion_place, identity, is_allowed, is_replaceable,
    is_replaceable_companion, place_of,
};
use super::request::{MapRequest, PictureRequest};
use super::temp_file::TempFile;
use crate::files::formats::sidecar::sidecar_of;
use crate::scene::Scene;
use crate::util::language::mark;

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
    /// Any other file.
    Plain,
}

impl Output {
    /// Map or mesh output with companion files; it also has a sidecar.
    pub(super) fn map(path: PathBuf, request: MapRequest, beside: Vec<PathBuf>) -> Self {
        Self {
            path,
            kind: OutputKind::Map(request, beside),
        }
    }

    /// Picture output.
    #[must_use]
    pub fn picture(path: &Path, request: PictureRequest) -> Self {
        Self {
            path: path.to_owned(),
            kind: OutputKind::Picture(request),
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
            _ => Vec::new(),
        }
    }

    /// True if the file exists, complete and as it would be written for this scene.
    #[must_use]
    pub fn is_finished(&self, scene: &Scene) -> bool {
        match &self.kind {
            OutputKind::Map(request, _) => request.is_fulfilled(&self.path, scene),
            OutputKind::Picture(request) => request.is_fulfilled(&self.path, scene),
            OutputKind::Plain => false,
        }
    }

    /// First existing file that may not be replaced. The second argument of `may_replace` is true for an
    /// unchanged file of Landform's own.
    fn foreign(&self, may_replace: &dyn Fn(&Path, bool) -> bool) -> Option<PathBuf> {
        let main = &self.path;
        let is_own_companion = |file: &Path| {
            let mains = maps_placed_by(file).chain([main.clone()]);
            is_replaceable_companion(file, mains)
        };
        let others = self.others();
        let (sidecar, companions) = others.split_at(others.len().min(1));
        let mut files = sidecar.iter().chain([main]);
        files
            .find(|file| !may_replace(file, is_replaceable(file)))
            .or_else(|| {
                let mut files = companions.iter();
                files.find(|file| !may_replace(file, is_own_companion(file)))
            })
            .cloned()
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
    let mut places = Places::new(inputs);
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
        for path in [output.path.clone()].iter().chain(&output.others()) {
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
    fn new(inputs: &[PathBuf]) -> Self {
        Self {
            inputs: inputs.iter().filter_map(|path| identity(path)).collect(),
            files: HashSet::new(),
            folders: HashMap::new(),
        }
    }

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
            return Err(ExportError::OneName {
                path: path.to_owned(),
            });
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
