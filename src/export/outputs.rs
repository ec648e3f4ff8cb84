//! The files that a run writes: known, and checked, before the first of them is made.

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

/// A file that is to be written, with what will lie beside it.
#[derive(Clone, Debug)]
pub struct Output {
    path: PathBuf,
    kind: OutputKind,
}

#[derive(Clone, Debug)]
enum OutputKind {
    /// A map or a mesh, which has a sidecar, and the files beside it.
    Map(MapRequest, Vec<PathBuf>),
    /// A picture, which is alone.
    Picture(PictureRequest),
    /// Any other file.
    Plain,
}

impl Output {
    /// A map or a mesh, which has a sidecar, and the files beside it.
    pub(super) fn map(path: PathBuf, request: MapRequest, beside: Vec<PathBuf>) -> Self {
        Self {
            path,
            kind: OutputKind::Map(request, beside),
        }
    }

    /// A picture.
    #[must_use]
    pub fn picture(path: &Path, request: PictureRequest) -> Self {
        Self {
            path: path.to_owned(),
            kind: OutputKind::Picture(request),
        }
    }

    /// A file with nothing beside it, such as a scene.
    #[must_use]
    pub fn plain(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            kind: OutputKind::Plain,
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
            OutputKind::Map(_, beside) if !self.is_standard_output() => {
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
            OutputKind::Map(request, _) => is_map(&self.path, request, scene),
            OutputKind::Picture(request) => is_picture(&self.path, *request, scene),
            OutputKind::Plain => false,
        }
    }

    /// Finishes what a killed run has left of it.
    fn finish(&self) -> Result<(), ExportError> {
        let others = self.others();
        let said = others
            .first()
            .and_then(|sidecar| Sidecar::read_own(sidecar));
        finish(&self.path, said.as_ref(), &others)
    }

    /// The first of its files that may not be replaced; `may_replace` is told whether it is one of
    /// Landform's own, unchanged.
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

/// Checks all files of a run before the first is made, and finishes what a killed run has left of
/// them. `inputs` are the files that the run reads; `may_replace` says of a file that is not from
/// Landform whether it may be replaced all the same. What it allows is replaced only as it is now.
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
                what: mark("an input, too"),
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
