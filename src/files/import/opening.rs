//! Opening of files as scenes: recipe, sidecar, and relocation of the scene's input files.
//!
//! A recipe is valid only if its checksum matches the content of the file, see [`super::recipe`]. It lists
//! its input images, each with a checksum. If an image is missing or has changed, the heights in the file
//! itself become the ground, since they are the scene's result from that image.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use super::builtin::is_builtin;
use super::error::ImportError;
use super::file::{broken, has_extension, text, text_from, unreadable, with_source};
use super::inputs::is_palette_file;
use super::list::{self, holds_heights};
use super::maps::{open_image_by, samples, show_image};
use super::recipe::Recipe;
use super::source::{Beside, Source};
use crate::files::formats::checksum::{checksum, checksum_at};
use crate::files::formats::recipe::scene_of_json;
use crate::files::formats::sidecar::{self, Sidecar};
use crate::generate::{Reading, Surface};
use crate::scene::Scene;
use crate::util::job::Job;
use crate::util::language::tr;
use crate::util::words;

/// Opened scene, with notices for the user.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    /// The scene.
    pub scene: Scene,
    /// True if the file holds no valid scene: the scene is a plain one that shows its heights.
    pub is_plain: bool,
    /// Messages for the user.
    pub notices: Vec<String>,
}

/// Open the scene of a file.
///
/// A `.toml` file is a scene; its paths are relative to its folder. A file exported by Landform opens as the
/// scene that it was made from: PNG, TIFF, OpenEXR, ASC, OBJ, PLY and GLB contain the scene as a recipe;
/// other formats have it in a `.json` sidecar. The recipe is valid only if its checksum matches the content
/// of the file. Any other height map opens as a plain scene, see [`super::open_image`]. The result does not
/// depend on the scene that was open before.
///
/// # Errors
/// The file cannot be read, is neither a scene nor an image, a setting is out of range, or it is a mesh
/// without its scene.
pub fn open(path: &Path) -> Result<Scene, ImportError> {
    open_as(path, &Reading::default()).map(|opened| opened.scene)
}

/// Open a file as [`open`] does, with notices, and with import options for a height map.
///
/// # Errors
/// As [`open`].
pub fn open_as(path: &Path, reading: &Reading) -> Result<Opened, ImportError> {
    open_by(path, reading, &Job::new())
}

/// Open a file as [`open_as`] does, within a job that may be cancelled.
///
/// # Errors
/// As [`open`], or the job was cancelled.
pub fn open_by(path: &Path, reading: &Reading, job: &Job) -> Result<Opened, ImportError> {
    let Found { scene, notices } = find(path)?;
    let is_plain = scene.is_none();
    let scene = match scene {
        Some(scene) => scene,
        None => open_image_by(path, reading, job)?,
    };
    Ok(Opened {
        scene,
        is_plain,
        notices,
    })
}

/// Read a scene as text from standard input or another stream. Its paths are relative to the current folder.
///
/// # Errors
/// The text cannot be read, or is not a scene.
pub fn read_scene(from: impl std::io::Read) -> Result<Scene, ImportError> {
    let name = Path::new("standard input");
    Scene::parse(&text_from(from, name)?).map_err(|source| ImportError::Scene {
        source,
        path: name.to_owned(),
    })
}

/// Read the scene in a file or in its sidecar, see [`open`]; `None` if there is none.
///
/// # Errors
/// The file cannot be read, is a `.toml` file without a valid scene, or is a mesh with an invalid recipe.
pub fn scene(path: &Path) -> Result<Option<Scene>, ImportError> {
    find(path).map(|found| found.scene)
}

/// Result of [`find`].
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The scene that made the file.
    pub scene: Option<Scene>,
    /// Messages for the user: an invalid recipe and the reason, unknown settings of a later version, and
    /// input images that are missing or have changed.
    pub notices: Vec<String>,
}

/// Read the scene as [`scene`] does, with notices.
///
/// # Errors
/// As [`scene`].
pub fn find(path: &Path) -> Result<Found, ImportError> {
    if has_extension(path, "toml") {
        return open_scene(path);
    }
    let none = Found {
        scene: None,
        notices: Vec::new(),
    };
    if is_builtin(path) {
        return Ok(none);
    }
    let heights_count = |reason: &str| Found {
        notices: vec![said_of(
            path,
            &tr!(
                "{reason}, so that its heights count, not the recipe",
                reason
            ),
        )],
        ..none.clone()
    };
    let reading = Reading::default();
    let (inside, is_mesh) = with_source(path, Beside::alone(&reading), |source, extension| {
        let Ok(reader) = list::of(extension, source) else {
            return Ok((Recipe::None, false));
        };
        let recipe = (reader.recipe)(source).unwrap_or(Recipe::None);
        Ok((recipe, reader.is_mesh()))
    })?;
    let beside = sidecar::look_beside(path);
    let is_map =
        matches!(&beside, sidecar::FoundSidecar::Fits(sidecar) if !sidecar.is_of_heights());
    match believed(inside, beside) {
        Recipe::Fits(mut scene) => {
            let folder = path.parent().unwrap_or(Path::new(""));
            let lost = find_inputs(&mut scene, |named| {
                vec![folder.join(named), named.to_owned()]
            });
            find_palette(&mut scene, folder);
            if !is_mesh && reads(&scene, path) {
                // The input has changed because this file was written over it.
                return Ok(heights_count(tr(
                    "its recipe takes the file itself for its input",
                )));
            }
            let mut notices: Vec<_> = newer(&scene, path).into_iter().collect();
            let (scene, said) = with_own_heights(path, *scene, &lost, is_map);
            notices.extend(said);
            Ok(Found {
                scene: Some(scene),
                notices,
            })
        }
        Recipe::Useless(reason) if is_mesh => Err(broken(
            path,
            &tr!("a mesh has no grid of heights, and {reason}", reason),
        )),
        Recipe::Useless(reason) => Ok(heights_count(&reason)),
        Recipe::None => Ok(none),
    }
}

/// True if the recipe in a file matches its content; `None` if the file has no recipe.
#[must_use]
pub fn recipe_fits(path: &Path) -> Option<bool> {
    let reading = Reading::default();
    let recipe = with_source(path, Beside::alone(&reading), |source, extension| {
        let reader = list::of(extension, source)?;
        (reader.recipe)(source)
    });
    match recipe.ok()? {
        Recipe::None => None,
        Recipe::Fits(_) => Some(true),
        Recipe::Useless(_) => Some(false),
    }
}

/// Choose the valid recipe: the one in the file, else the one in the sidecar.
fn believed(inside: Recipe, beside: sidecar::FoundSidecar) -> Recipe {
    use sidecar::FoundSidecar::{Fits, Nothing, OfAnother};
    if let Recipe::Fits(_) = inside {
        return inside;
    }
    let beside = match beside {
        Fits(Sidecar { scene, .. }) => scene.map(|scene| scene_of_json(&scene)),
        OfAnother if inside == Recipe::None => {
            return Recipe::Useless(
                tr("the recipe beside it is of another version of it").to_owned(),
            );
        }
        OfAnother | Nothing => None,
    };
    match beside {
        Some(Ok(scene)) => Recipe::Fits(Box::new(scene)),
        Some(Err(reason)) if inside == Recipe::None => Recipe::Useless(tr!(
            "the recipe beside it cannot be read ({reason})",
            reason
        )),
        _ => inside,
    }
}

/// Read the scene from a file in memory, if it has a valid recipe; `extension` as in [`super::samples_in`].
#[must_use]
pub fn scene_in(extension: &str, bytes: &[u8]) -> Option<Scene> {
    let reading = Reading::default();
    let source = &mut Source {
        bytes: &mut Cursor::new(bytes),
        length: bytes.len() as u64,
        beside: Beside::alone(&reading),
    };
    let reader = list::of(extension, source).ok()?;
    match (reader.recipe)(source).ok()? {
        Recipe::Fits(scene) => Some(*scene),
        _ => None,
    }
}

fn said_of(path: &Path, words: &str) -> String {
    format!("{words}: {}", words::named(path))
}

/// Make a notice of settings that come from a later version of Landform.
fn newer(scene: &Scene, path: &Path) -> Option<String> {
    let words = scene.later_words()?;
    Some(said_of(path, &words))
}

/// True if the scene takes the file itself as an input.
fn reads(scene: &Scene, path: &Path) -> bool {
    let Ok(file) = fs::canonicalize(path) else {
        return false;
    };
    let inputs = scene.surfaces().filter_map(|s| s.input.as_deref());
    let mut inputs = inputs.chain(scene.mask_images());
    inputs.any(|input| fs::canonicalize(input).is_ok_and(|input| input == file))
}

/// Input file of a scene that is missing or has changed.
struct Lost {
    input: PathBuf,
    /// True if another file exists at its path.
    is_there: bool,
}

impl Lost {
    fn words(&self) -> String {
        let input = words::named(&self.input);
        if self.is_there {
            tr!("{input} is not the image that this was made from", input)
        } else {
            tr!("{input} is not there any more", input)
        }
    }
}

/// Set each input to the first of its possible paths that has the right checksum, else to the first that
/// exists.
///
/// Returns the inputs that are missing or have changed.
fn find_inputs(scene: &mut Scene, places: impl Fn(&Path) -> Vec<PathBuf>) -> Vec<Lost> {
    let mut lost = Vec::new();
    for (input, checksum) in scene.images_mut() {
        let wanted = std::mem::take(checksum);
        if is_builtin(input) {
            continue;
        }
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

/// Length and checksum of a file, in the form that recipes store for inputs; `None` if the file cannot be
/// read.
#[must_use]
pub fn sum_of(path: &Path) -> Option<String> {
    let (length, sum) = checksum_at(path)?;
    Some(format!("{length} {sum}"))
}

/// As [`sum_of`]; empty for a file that is missing, which is reported where it is read.
///
/// # Errors
/// The file is there and cannot be read: without the checksum a recipe would take any file for it.
pub fn sum_of_input(path: &Path) -> Result<String, ImportError> {
    if !path.is_file() {
        return Ok(String::new());
    }
    let sum = fs::File::open(path).and_then(|mut file| checksum(&mut file));
    let (length, sum) = sum.map_err(unreadable(path))?;
    Ok(format!("{length} {sum}"))
}

/// Length and checksum of a scene file, in the form of [`sum_of`]; `None` if it cannot be read or is too long
/// for a scene.
#[must_use]
pub fn sum_of_text(path: &Path) -> Option<String> {
    let text = text(path).ok()?;
    let (length, sum) = checksum(&mut Cursor::new(text)).ok()?;
    Some(format!("{length} {sum}"))
}

/// Resolve the palette's path relative to the folder of the file that contained the scene.
fn find_palette(scene: &mut Scene, folder: &Path) {
    let palette = folder.join(&scene.view.palette);
    if is_palette_file(&scene.view.palette)
        && palette.exists()
        && let Some(named) = palette.to_str()
    {
        scene.view.palette = named.to_owned();
    }
}

/// Replace the input by the heights in the file at `path`, if an input is lost and the file holds heights,
/// not a derived map. Returns the scene and messages for the user.
fn with_own_heights(
    path: &Path,
    scene: Scene,
    lost: &[Lost],
    is_map: bool,
) -> (Scene, Vec<String>) {
    let own = if lost.is_empty() || is_map {
        None
    } else {
        over_heights_of(path, &scene)
    };
    let line = |lost: &Lost| {
        let words = lost.words();
        match own {
            Some(_) => Some(tr("; the heights in this file are shown in its place")),
            // A missing file causes an error when it is read.
            None => lost.is_there.then_some(""),
        }
        .map(|but| said_of(path, &format!("{words}{but}")))
    };
    let notices = lost.iter().filter_map(line).collect();
    (own.unwrap_or(scene), notices)
}

fn over_heights_of(path: &Path, scene: &Scene) -> Option<Scene> {
    // A picture holds brightness, unless it states the heights of black and white.
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
    // Layers, modifiers and passes are already part of the exported heights.
    own.layers.clear();
    own.modifiers.clear();
    own.view.pass = None;
    show_image(path, &mut own.surface).ok()?;
    Some(own)
}

fn open_scene(path: &Path) -> Result<Found, ImportError> {
    let text = text(path)?;
    let mut scene = Scene::parse(&text).map_err(|source| ImportError::Scene {
        source,
        path: path.to_owned(),
    })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    for (image, _) in scene.images_mut() {
        if !is_builtin(image) {
            *image = folder.join(&*image);
        }
    }
    let mut lost = find_inputs(&mut scene, |input| vec![input.to_owned()]);
    // A missing file causes an error when it is read.
    lost.retain(|lost| lost.is_there);
    if is_palette_file(&scene.view.palette) {
        let palette = folder.join(&scene.view.palette);
        let named = palette.into_os_string().into_string();
        scene.view.palette = named.map_err(|_| {
            broken(
                path,
                tr("its path is not UTF-8, so no scene can name its palette"),
            )
        })?;
    }
    let lost = lost.iter().map(|lost| said_of(path, &lost.words()));
    Ok(Found {
        notices: newer(&scene, path).into_iter().chain(lost).collect(),
        scene: Some(scene),
    })
}
