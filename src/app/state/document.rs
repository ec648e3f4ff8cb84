//! The document: which file the scene in the window belongs to, and what it was like there.
//!
//! "Changed" means changed from that: the marks in the panel, the dot in the title, what a
//! double-click goes back to, and whether closing asks.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::import;
use crate::language::tr;
use crate::scene::{Camera, Scene};
use crate::words;

/// The end of the name of files that hold a scene and nothing else.
pub const EXTENSION: &str = "toml";

/// What the scene in the window was opened from, or saved as.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Document {
    /// The file that it was opened from or saved in; `None` for a new document.
    pub file: Option<PathBuf>,
    /// The scene as the file, or the preset, has it.
    pub baseline: Scene,
    /// Length and checksum of the file then: another program may write it meanwhile.
    pub held: Option<String>,
}

impl Default for Document {
    fn default() -> Self {
        Self::unnamed(import::start().clone())
    }
}

impl Document {
    /// A new document that begins with `scene`.
    #[must_use]
    pub fn unnamed(scene: Scene) -> Self {
        Self {
            file: None,
            baseline: scene,
            held: None,
        }
    }

    /// The document in that file, which holds `scene` as bytes that are known by their length and
    /// checksum.
    #[must_use]
    pub fn of(file: PathBuf, scene: Scene, held: Option<String>) -> Self {
        Self {
            file: Some(file),
            baseline: scene,
            held,
        }
    }

    /// Whether `scene` is not as it was opened or saved.
    #[must_use]
    pub fn is_modified(&self, scene: &Scene) -> bool {
        self.baseline != *scene
    }

    /// Whether the user is to be asked before `scene` goes. A landscape without a name that was only
    /// looked at goes without a question.
    #[must_use]
    pub fn holds_work(&self, scene: &Scene) -> bool {
        let looked_at = || {
            let camera = scene.camera.clone();
            let baseline = self.baseline.clone();
            Scene { camera, ..baseline } == *scene
        };
        self.is_modified(scene) && !(self.file.is_none() && looked_at())
    }

    /// The file that *Save* writes: a scene's own, never a picture or a map that holds one.
    #[must_use]
    pub fn scene_file(&self) -> Option<&Path> {
        let file = self.file.as_deref()?;
        let is_scene = |extension: &std::ffi::OsStr| extension.eq_ignore_ascii_case(EXTENSION);
        file.extension().is_some_and(is_scene).then_some(file)
    }

    /// The document's name, as it may be shown.
    #[must_use]
    pub fn name(&self) -> Cow<'_, str> {
        let name = self.file.as_deref().and_then(Path::file_name);
        name.map_or(Cow::Borrowed(tr("Unnamed")), |name| {
            Cow::Owned(words::window(&name.to_string_lossy()))
        })
    }

    /// The window's title: the name, with a dot before it while `scene` is not saved.
    #[must_use]
    pub fn title(&self, scene: &Scene) -> String {
        let dot = if self.is_modified(scene) { "• " } else { "" };
        format!("{dot}{} – Landform", self.name())
    }

    /// Takes note that the ground, not the user, has moved the camera: that is no change.
    pub fn follow(&mut self, before: &Camera, after: &Camera) {
        if self.baseline.camera == *before {
            self.baseline.camera = after.clone();
        }
    }
}

/// The name, without extension, that a file about this scene gets unless told otherwise.
#[must_use]
pub fn file_stem(scene: &Scene) -> String {
    let surface = &scene.surface;
    format!("landform-{}-seed-{}", surface.generator, surface.seed)
}
