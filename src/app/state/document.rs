//! Document of the scene: its file and the saved state.
//!
//! A "change" is a difference from the saved state. It decides the marks in the panel, the dot in
//! the title, the value that a double-click restores, and the question on closing.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::files::import;
use crate::generate::Generator;
use crate::scene::{Camera, Scene};
use crate::util::language::tr;
use crate::util::words;

/// Extension of files that hold only a scene.
pub const EXTENSION: &str = "toml";

/// File and saved state of the scene in the window.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Document {
    /// File that the scene was opened from or saved in; `None` for a new document.
    pub file: Option<PathBuf>,
    /// Scene in the file or preset, to which changes are relative.
    pub baseline: Scene,
    /// Length and checksum of the file when it was read or written, to detect that another program
    /// has changed it.
    pub held: Option<String>,
}

impl Default for Document {
    fn default() -> Self {
        Self::unnamed(import::start().clone())
    }
}

impl Document {
    /// Create a document without a file that begins with `scene`.
    #[must_use]
    pub fn unnamed(scene: Scene) -> Self {
        Self {
            file: None,
            baseline: scene,
            held: None,
        }
    }

    /// Create a document for a file that holds `scene`; `held` is the length and checksum of its
    /// bytes.
    #[must_use]
    pub fn of(file: PathBuf, scene: Scene, held: Option<String>) -> Self {
        Self {
            file: Some(file),
            baseline: scene,
            held,
        }
    }

    /// True if `scene` differs from the saved state.
    #[must_use]
    pub fn is_modified(&self, scene: &Scene) -> bool {
        self.baseline != *scene
    }

    /// True if the user must be asked before `scene` is discarded. An unnamed scene with only a
    /// moved camera may be discarded silently.
    #[must_use]
    pub fn holds_work(&self, scene: &Scene) -> bool {
        let looked_at = || {
            let camera = scene.camera.clone();
            let baseline = self.baseline.clone();
            Scene { camera, ..baseline } == *scene
        };
        self.is_modified(scene) && !(self.file.is_none() && looked_at())
    }

    /// File that *Save* writes: a scene file, never an image or a map with an embedded scene.
    #[must_use]
    pub fn scene_file(&self) -> Option<&Path> {
        let file = self.file.as_deref()?;
        let is_scene = |extension: &std::ffi::OsStr| extension.eq_ignore_ascii_case(EXTENSION);
        file.extension().is_some_and(is_scene).then_some(file)
    }

    /// Name of the document for display.
    #[must_use]
    pub fn name(&self) -> Cow<'_, str> {
        let name = self.file.as_deref().and_then(Path::file_name);
        name.map_or(Cow::Borrowed(tr("Unnamed")), |name| {
            Cow::Owned(words::window(&name.to_string_lossy()))
        })
    }

    /// Title of the window: the name, with a dot before it while `scene` has unsaved changes.
    #[must_use]
    pub fn title(&self, scene: &Scene) -> String {
        let dot = if self.is_modified(scene) { "• " } else { "" };
        format!("{dot}{} – Landform", self.name())
    }

    /// Follow a camera move that the ground caused, not the user: it is not a change.
    pub fn follow(&mut self, before: &Camera, after: &Camera) {
        if self.baseline.camera == *before {
            self.baseline.camera = after.clone();
        }
    }
}

/// Default name, without extension, of a file made from this scene. That of a height map has the name of its
/// file, and is not the same, so that it cannot replace it.
#[must_use]
pub fn file_stem(scene: &Scene) -> String {
    let surface = &scene.surface;
    let input = surface.input.as_ref();
    let input = input.filter(|_| surface.generator == Generator::Image);
    match input.and_then(|path| path.file_stem()?.to_str()) {
        Some(stem) => format!("landform-{stem}"),
        None => format!("landform-{}-seed-{}", surface.generator, surface.seed),
    }
}

// A/B comparison: A is the reference scene, B the present scene.

/// Reference scene A, and its share of the picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// Scene A, as it was when the comparison began.
    pub scene: Arc<Scene>,
    /// Scene on screen: A, B or both.
    pub side: Side,
    /// Position of the divider, as a part of the picture's width: A is left of it.
    pub divider: f32,
    /// True if the list of differences is open.
    pub list: bool,
}

/// Scene on screen in an A/B comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// A left of the divider, B right of it.
    Both,
    /// The reference scene.
    A,
    /// The present scene.
    B,
}

impl Compared {
    /// Begin a comparison with `scene` as the reference.
    #[must_use]
    pub fn new(scene: impl Into<Arc<Scene>>) -> Self {
        Self {
            scene: scene.into(),
            side: Side::Both,
            divider: 0.5,
            list: false,
        }
    }

    /// Part of the picture's width, from the left, that shows A.
    #[must_use]
    pub fn part(&self) -> f32 {
        match self.side {
            Side::Both => self.divider,
            Side::A => 1.0,
            Side::B => 0.0,
        }
    }

    /// Scene A with the camera of the present scene, for drawing.
    #[must_use]
    pub fn drawn(&self, camera: &Camera) -> Scene {
        Scene {
            camera: camera.clone(),
            ..Scene::clone(&self.scene)
        }
    }

    /// Toggle between A and B, each over the whole picture.
    pub fn flick(&mut self) {
        self.side = match self.side {
            Side::A => Side::B,
            Side::Both | Side::B => Side::A,
        };
    }
}
