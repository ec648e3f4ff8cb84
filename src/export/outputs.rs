//! Output files of a run, listed and checked before the first is written.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::ExportError;
use super::commit::{finish, is_changed};
use super::finished::{is_map, is_picture};
use super::georeference::is_claimed;
use super::own::{is_replaceable, is_replaceable_sidecar};
use super::permission::{allow, is_allowed};
use super::request::{MapRequest, PictureRequest};
use super::target::{companion_place, is_standard_output, place_of, write_error};
use crate::formats::sidecar::{Sidecar, sidecar_of};
use crate::language::mark;
use crate::scene::Scene;

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
            OutputKind::Map(request, _) => is_map(&self.path, request, scene),
            OutputKind::Picture(request) => is_picture(&self.path, *request, scene),
            OutputKind::Plain => false,
        }
    }

    /// Finish the commit of a killed run.
    fn finish(&self) -> Result<(), ExportError> {
        let others = self.others();
        let said = others
            .first()
            .and_then(|sidecar| Sidecar::read_own(sidecar));
        finish(&self.path, said.as_ref(), &others)
    }

    /// First existing file that may not be replaced. The second argument of `may_replace` is true for an
    /// unchanged file of Landform's own.
    fn foreign(&self, may_replace: &dyn Fn(&Path, bool) -> bool) -> Option<PathBuf> {
        let others = self.others();
        let sidecar = others.first();
        let sidecar = sidecar.filter(|file| !may_replace(file, is_replaceable_sidecar(file)));
        let said = others
            .first()
            .and_then(|sidecar| Sidecar::read_own(sidecar));
        let is_changed = |file: &Path| said.as_ref().is_some_and(|s| is_changed(file, s));
        let mut beside = others.iter().skip(1);
        let is_own = |file: &Path| (is_replaceable(file) && !is_changed(file)) || is_claimed(file);
        sidecar
            .or_else(|| {
                let file = Some(&self.path);
                file.filter(|file| !may_replace(file, is_replaceable(file)))
            })
            .or_else(|| beside.find(|file| !may_replace(file, is_own(file))))
            .cloned()
    }
}

/// Check all output files of a run before the first is made, and finish the commit of a killed run.
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
        output.finish()?;
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

/// Identity of a file, independent of its name.
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
