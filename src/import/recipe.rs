//! The scene that a file stands for, and the files that the scene names.
//!
//! A scene in an exported file names its input images, each with a checksum. If one is gone, or
//! another lies in its place, the heights in the file itself are the ground: they are what the
//! scene made of the image.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::error::ImportError;
use super::source::Source;
use super::{
    alone, broken, checksum, format, has_extension, holds_heights, is_builtin, is_palette_file,
    open_image_as, samples, show_image, sidecar, text, with_source,
};
use crate::generate::{Reading, Surface};
use crate::scene::Scene;

/// The scene that a file stands for, and what the user is to know of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    /// The scene.
    pub scene: Scene,
    /// Lines for the user.
    pub notices: Vec<String>,
}

/// The scene that a file stands for.
///
/// A `.toml` file is a scene; paths in it are relative to its folder. Any file that Landform
/// exported is the scene that it was made from: PNG, TIFF, OpenEXR, ASC, OBJ, PLY and GLB hold it;
/// of other formats it is in the `.json` beside the file, if its length and checksum are those of
/// the file. Any other height map becomes a default scene over it, see [`super::open_image`].
///
/// # Errors
/// The file cannot be read, is no scene and no image, or a setting is out of range; a mesh
/// without its scene.
pub fn open(path: &Path) -> Result<Scene, ImportError> {
    open_as(path, &Reading::default()).map(|opened| opened.scene)
}

/// As [`open`], with what the user is to know; a height map is read as the user says.
///
/// # Errors
/// As [`open`].
pub fn open_as(path: &Path, reading: &Reading) -> Result<Opened, ImportError> {
    if let Some(opened) = recipe(path)? {
        return Ok(opened);
    }
    Ok(Opened {
        scene: open_image_as(path, reading)?,
        notices: Vec::new(),
    })
}

/// The scene that a file holds or has beside it, see [`open`]; `None` if it has none.
///
/// # Errors
/// The file cannot be read, or is a `.toml` file that is no scene.
pub fn scene(path: &Path) -> Result<Option<Scene>, ImportError> {
    Ok(recipe(path)?.map(|opened| opened.scene))
}

/// As [`scene`], with what the user is to know.
///
/// # Errors
/// As [`scene`].
pub fn recipe(path: &Path) -> Result<Option<Opened>, ImportError> {
    if has_extension(path, "toml") {
        return open_scene(path).map(Some);
    }
    if is_builtin(path) {
        return Ok(None);
    }
    let reading = Reading::default();
    let inside = with_source(path, alone(&reading), |source, extension| {
        Ok(scene_of(extension, source))
    })?;
    let beside = sidecar::beside(path);
    let is_map = beside.as_ref().is_some_and(|sidecar| !sidecar.of_heights);
    let found = inside.or_else(|| beside?.scene);
    Ok(found.map(|mut scene| {
        let folder = path.parent().unwrap_or(Path::new(""));
        let lost = find_inputs(&mut scene, |named| {
            vec![folder.join(named), named.to_owned()]
        });
        find_palette(&mut scene, folder);
        with_own_heights(path, scene, &lost, is_map)
    }))
}

pub(super) fn scene_of(extension: &str, source: &mut Source<'_>) -> Option<Scene> {
    let format = format::of(extension, source).ok()?;
    (format.scene)(source)
}

/// Why an input of a scene is not what it was.
struct Lost {
    input: PathBuf,
    /// Whether another file lies in its place.
    is_there: bool,
}

impl Lost {
    fn words(&self) -> String {
        let input = self.input.display();
        match self.is_there {
            true => format!("{input} is not the image that this was made from"),
            false => format!("{input} is not there any more"),
        }
    }
}

/// Puts the first of the places of each input where the very image lies; of none where that is
/// known, the first where there is any.
fn find_inputs(scene: &mut Scene, places: impl Fn(&Path) -> Vec<PathBuf>) -> Vec<Lost> {
    let mut lost = Vec::new();
    for surface in scene.surfaces_mut() {
        let wanted = std::mem::take(&mut surface.input_checksum);
        let Some(input) = surface.input.as_mut().filter(|input| !is_builtin(input)) else {
            continue;
        };
        let there: Vec<_> = places(input).into_iter().filter(|p| p.exists()).collect();
        let is_it = |place: &&PathBuf| wanted.is_empty() || sum_of(place) == Some(wanted.clone());
        let found = there.iter().find(is_it);
        if found.is_none() {
            lost.push(Lost {
                input: input.clone(),
                is_there: !there.is_empty(),
            });
        }
        if let Some(place) = found.or(there.first()) {
            *input = place.clone();
        }
    }
    lost
}

/// Length and checksum of a file, as a scene in a file has them of its inputs.
pub fn sum_of(path: &Path) -> Option<String> {
    if !path.is_file() {
        return None;
    }
    let (length, sum) = checksum(&mut File::open(path).ok()?).ok()?;
    Some(format!("{length} {sum}"))
}

/// The palette as seen from here: it is relative to the folder of the file that held the scene.
fn find_palette(scene: &mut Scene, folder: &Path) {
    let palette = folder.join(&scene.view.palette);
    if is_palette_file(&scene.view.palette)
        && palette.exists()
        && let Some(named) = palette.to_str()
    {
        scene.view.palette = named.to_owned();
    }
}

/// The scene over the heights in the file at `path`, if an input is lost and the file holds
/// heights and not a map made of them.
fn with_own_heights(path: &Path, scene: Scene, lost: &[Lost], is_map: bool) -> Opened {
    let own = match lost.is_empty() || is_map {
        true => None,
        false => over_heights_of(path, &scene),
    };
    let line = |lost: &Lost| {
        let words = lost.words();
        match own {
            Some(_) => Some("; the heights in this file are shown in its place"),
            // That it is not there is an error when it is read.
            None => lost.is_there.then_some(""),
        }
        .map(|but| format!("{words}{but}: {}", path.display()))
    };
    Opened {
        notices: lost.iter().filter_map(line).collect(),
        scene: own.unwrap_or(scene),
    }
}

fn over_heights_of(path: &Path, scene: &Scene) -> Option<Scene> {
    // A picture is brightness, unless it says the heights of black and white.
    let is_heights = holds_heights(path) || samples(path).is_ok_and(|s| s.heights().is_some());
    if !is_heights {
        return None;
    }
    let mut own = scene.clone();
    own.surface = Surface {
        seed: scene.surface.seed,
        tile_size_m: scene.surface.tile_size_m,
        ..Surface::default()
    };
    // All of these are in the heights already.
    own.layers.clear();
    own.modifiers.clear();
    own.view.pass = None;
    show_image(path, &mut own.surface).ok()?;
    Some(own)
}

fn open_scene(path: &Path) -> Result<Opened, ImportError> {
    let text = text(path)?;
    let mut scene = Scene::parse(&text).map_err(|source| ImportError::Scene {
        source,
        path: path.to_owned(),
    })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    for input in scene.surfaces_mut().filter_map(|s| s.input.as_mut()) {
        if !is_builtin(input) {
            *input = folder.join(&*input);
        }
    }
    let mut lost = find_inputs(&mut scene, |input| vec![input.to_owned()]);
    // That it is not there is an error when it is read.
    lost.retain(|lost| lost.is_there);
    if is_palette_file(&scene.view.palette) {
        let palette = folder.join(&scene.view.palette);
        let named = palette.into_os_string().into_string();
        scene.view.palette = named.map_err(|_| {
            broken(
                path,
                "its path is not UTF-8, so no scene can name its palette",
            )
        })?;
    }
    let line = |lost: &Lost| format!("{}: {}", lost.words(), path.display());
    Ok(Opened {
        notices: lost.iter().map(line).collect(),
        scene,
    })
}
