//! Opening of files as scenes: recipe, sidecar, and relocation of the scene's input files.
//!
//! A recipe is valid only if its checksum matches the content of the file, see [`super::reader`]. It lists
//! its input images, each with a checksum. If an image is missing or has changed, the heights in the file
//! itself become the ground, since they are the scene's result from that image.

use std::fs;
use std::io::Cursor;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::file::{ImportError, broken, has_extension, text, text_from, unreadable, with_source};
#[cfg(feature = "formats")]
use super::foreign::decoder_of;
use super::maps::{
    self, holds_heights, is_builtin, open_image_by, samples, samples_by, show_image,
};
use super::reader::{FileContext, Recipe, Source};
use crate::files::formats::checksum::{checksum, checksum_at};
use crate::files::formats::recipe::scene_of_json;
use crate::files::formats::sidecar::{self, Sidecar};
use crate::generate::{Image, Reading, Surface};
use crate::pipeline::inputs::Inputs;
use crate::scene::Scene;
use crate::shading::texture::Palette;
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
            &tr!("{reason}, so its heights are used, not its recipe", reason),
        )],
        ..none.clone()
    };
    let reading = Reading::default();
    let (inside, is_mesh) =
        with_source(path, FileContext::alone(&reading), |source, extension| {
            let Ok(reader) = maps::reader_of(extension, source) else {
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
            if !is_mesh && takes_itself(&scene, path) {
                // The input has changed because this file was written over it.
                return Ok(heights_count(tr(
                    "its recipe names the file itself as its input",
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
    let recipe = with_source(path, FileContext::alone(&reading), |source, extension| {
        let reader = maps::reader_of(extension, source)?;
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
                tr("the recipe next to it belongs to another version of the file").to_owned(),
            );
        }
        OfAnother | Nothing => None,
    };
    match beside {
        Some(Ok(scene)) => Recipe::Fits(Box::new(scene)),
        Some(Err(reason)) if inside == Recipe::None => Recipe::Useless(tr!(
            "the recipe next to it cannot be read ({reason})",
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
        context: FileContext::alone(&reading),
    };
    let reader = maps::reader_of(extension, source).ok()?;
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
fn takes_itself(scene: &Scene, path: &Path) -> bool {
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
            tr!(
                "{input} is not the image that this file was made from",
                input
            )
        } else {
            tr!("{input} no longer exists", input)
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
            Some(_) => Some(tr("; the heights in this file are used instead")),
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
                tr("its path is not UTF-8, so a scene cannot refer to its palette"),
            )
        })?;
    }
    let lost = lost.iter().map(|lost| said_of(path, &lost.words()));
    Ok(Found {
        notices: newer(&scene, path).into_iter().chain(lost).collect(),
        scene: Some(scene),
    })
}

// Input files of a scene: images, masks and palettes.

/// File names and import options of a scene's inputs.
///
/// Equal values mean equal inputs, unless the files themselves change.
#[derive(Clone, Debug, PartialEq)]
pub struct FilesNamed {
    images: Vec<(Option<PathBuf>, Reading)>,
    masks: Vec<PathBuf>,
    palette: String,
}

impl FilesNamed {
    /// Collect the file names and options of a scene.
    #[must_use]
    pub fn of(scene: &Scene) -> Self {
        Self {
            images: scene.surfaces().map(Surface::input_as_read).collect(),
            masks: scene.mask_images().map(Path::to_owned).collect(),
            palette: palette_file(scene).cloned().unwrap_or_default(),
        }
    }
}

/// Read all images and palette files of a scene.
///
/// Notices report filled voids, resampling to square cells, and assumptions.
///
/// # Errors
/// A file cannot be read or is broken.
pub fn inputs(scene: &Scene) -> Result<Inputs, ImportError> {
    inputs_by(scene, &Job::new())
}

/// Read the inputs as [`inputs`] does, within a job that may be cancelled.
///
/// # Errors
/// As [`inputs`], or the job was cancelled.
pub fn inputs_by(scene: &Scene, job: &Job) -> Result<Inputs, ImportError> {
    let mut inputs = Inputs::default();
    for surface in scene.surfaces() {
        let Some(path) = &surface.input else {
            continue;
        };
        let samples = samples_by(path, &surface.reading, job)?;
        if !is_builtin(path) {
            let notices = samples.notices(path, Some(surface));
            notices.into_iter().for_each(|notice| inputs.notify(notice));
            #[cfg(feature = "formats")]
            notice_of_decoder(path, surface)
                .into_iter()
                .for_each(|notice| inputs.notify(notice));
        }
        let image = Image {
            top: samples.top(),
            place: samples.place,
            valid: samples.valid,
            grid: Arc::new(samples.grid),
        };
        inputs
            .images
            .insert_read(path.clone(), surface.reading.clone(), image);
    }
    for path in scene.mask_images() {
        let samples = samples_by(path, &Reading::default(), job)?;
        let image = Image {
            top: samples.top(),
            place: None,
            valid: None,
            grid: Arc::new(samples.grid),
        };
        inputs
            .images
            .insert_read(path.to_owned(), Reading::default(), image);
    }
    add_palette(&mut inputs, scene)?;
    Ok(inputs)
}

#[cfg(feature = "formats")]
/// Make a notice if GDAL now decodes other heights than when the scene was saved.
fn notice_of_decoder(path: &Path, surface: &Surface) -> Option<String> {
    let before = Some(&surface.input_decoder).filter(|before| !before.is_empty())?;
    let now = decoder_of(path, &surface.reading)?;
    let sum = |text: &str| text.splitn(3, ' ').nth(2).map(str::to_owned);
    let version = |text: &str| text.split(' ').take(2).collect::<Vec<_>>().join(" ");
    (sum(before) != sum(&now)).then(|| {
        tr!(
            "{now} decodes different heights from it than {before} did when the scene was saved: \
             {file}",
            before = version(before),
            now = version(&now),
            file = crate::util::words::named(path)
        )
    })
}

/// The files that a scene reads, without built-in images.
#[must_use]
pub fn reads(scene: &Scene) -> Vec<PathBuf> {
    let images = scene.surfaces().filter_map(|surface| surface.input.clone());
    let images = images.chain(scene.mask_images().map(Path::to_owned));
    let mut files: Vec<_> = images
        .chain(palette_file(scene).map(PathBuf::from))
        .collect();
    files.retain(|file| !is_builtin(file));
    files
}

/// Make a notice of the files that a scene in the file `path` reads.
///
/// For a scene file, which users can inspect, only files outside its folder are listed. Missing files are
/// left out; they cause an error of their own.
#[must_use]
pub fn notice_of_reads(path: &Path, scene: &Scene) -> Option<String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let is_beside = |file: &Path| {
        let below = file.strip_prefix(folder);
        below.is_ok_and(|below| {
            below
                .components()
                .all(|part| matches!(part, Component::Normal(_)))
        })
    };
    let mut files = reads(scene);
    let is_told = |file: &PathBuf| !(has_extension(path, "toml") && is_beside(file));
    files.retain(|file| file != path && file.exists() && is_told(file));
    let names: Vec<_> = files
        .iter()
        .map(|file| file.display().to_string())
        .collect();
    (!names.is_empty()).then(|| tr!("the scene reads {}", names.join(", ")))
}

/// True if a palette's name is a path.
pub fn is_palette_file(name: &str) -> bool {
    has_extension(Path::new(name), "toml")
}

/// Path of the palette file that a scene reads; `None` if it has a palette of its own or names a built-in one.
fn palette_file(scene: &Scene) -> Option<&String> {
    let name = Some(&scene.view.palette).filter(|name| is_palette_file(name));
    name.filter(|_| scene.palette.is_none())
}

/// Read only the palette of a scene, if it is a file.
///
/// # Errors
/// As [`palette`].
pub fn palette_inputs(scene: &Scene) -> Result<Inputs, ImportError> {
    let mut inputs = Inputs::default();
    add_palette(&mut inputs, scene)?;
    Ok(inputs)
}

fn add_palette(inputs: &mut Inputs, scene: &Scene) -> Result<(), ImportError> {
    if let Some(name) = palette_file(scene) {
        inputs.insert_palette(name.clone(), Arc::new(palette(Path::new(name))?));
    }
    Ok(())
}

/// Read a palette file. A palette without a name gets that of the file.
///
/// # Errors
/// The file cannot be read or is not a palette.
pub fn palette(path: &Path) -> Result<Palette, ImportError> {
    let mut palette = Palette::parse(&text(path)?).map_err(|message| ImportError::Palette {
        message,
        path: path.to_owned(),
    })?;
    if palette.name.is_empty() {
        let stem = path.file_stem().unwrap_or_default();
        palette.name = stem.to_string_lossy().into_owned();
    }
    Ok(palette)
}

// Presets: built-in scenes, one file each below `assets/presets`.

/// Built-in scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The name in the command line and in the window.
    pub name: &'static str,
    /// One line of description.
    pub help: &'static str,
    /// The group in which it is listed.
    pub group: Group,
    /// The scene, as TOML.
    pub text: &'static str,
}

/// Group of presets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Landscapes, and figures of the article.
    Landscapes,
    /// One scene per generator, with the generator's name.
    Generators,
    /// One scene per modifier, with the modifier's name.
    Modifiers,
}

/// Table of presets: group and folder; file name without `.toml`, and one line of description.
macro_rules! presets {
    ($($group:ident in $folder:literal { $($name:literal, $help:literal;)+ })+) => {
        const PRESETS: &[Preset] = &[$($(Preset {
            name: $name,
            help: $help,
            group: Group::$group,
            text: include_str!(concat!("../../../assets/presets/", $folder, $name, ".toml")),
        },)+)+];
    };
}

presets! {
    Landscapes in "" {
        "alpine", "A summit of rock and snow over valleys that branch: where the program starts.";
        "river-valley", "Green valleys run together below a snowy range.";
        "canyon", "A river's way down through seven steps of red rock.";
        "fjord", "The sea between mountains, far into the land.";
        "badlands", "Banded clay, cut into ridges by every rain.";
        "volcano", "A cone of ash and cinders rises from the sea, gullied to the shore.";
        "old-hills", "Mountains worn down to heather and grass.";
        "island-noon", "A bay and its islets in a clear blue sea.";
        "alpine-dawn", "The first sun on snowy summits, the valleys still blue.";
        "karakoram-snow", "Steep granite under deep snow: avalanches have filled the couloirs.";
        "dolomites", "Towers and walls of pale limestone above green alps.";
        "granite-domes", "Bald domes of granite over meadows.";
        "scree-valley", "A lake and a river among debris cones, below walls of limestone.";
        "basalt-coast", "Stacked lava flows, cut off by the sea.";
        "slate-quarry", "Benches of dark slate above a pond.";
        "desert-mesas", "Table mountains and buttes over a sandy plain.";
        "foggy-hills", "Autumn hills rise from the morning's fog.";
        "moonlit-lake", "Snowy mountains around a lake, by the light of the full moon.";
        "powers-of-ten", "An island in the ocean; its film zooms in by ten powers of ten, \
         down to a pebble.";
        "desert", "Low red hills in the afternoon, the first passes weakened by hand.";
        "rolling-hills", "Autumn woods on smooth Gaussian hills, the range shrinking at every half step.";
        "crags", "Rough and steep: H 0.66 over glowing depths.";
        "jacksboro", "A real valley in Tennessee, diamond-square adding the detail that it lacks.";
        "caldera", "A lake in a ring of pins set by hand; diamond-square passes through each of \
         them.";
        "craters", "A layer of hills turned upside down, on the moon.";
        "faulted", "A fractal broken by a layer of fourteen earthquakes.";
        "atlas", "A height map from above in the colours of a school atlas.";
        "wireframe", "Sixty-four cells a side as lines.";
        "ridge", "Midpoint displacement in one dimension, twice around.";
        "sky", "Fractal clouds.";
        "passes", "Two passes of diamond-square, stopped in the middle: new points in orange.";
        "martz-1997", "Martz's example program as it started: two iterations, drawn as lines.";
        "quick-start", "The quick start of Martz's article: a fractal surface under a fractal sky.";
    }
    Generators in "generators/" {
        "diamond-square", "Green valleys between snowy shoulders.";
        "midpoint-1d", "A long ridge line, H 0.9.";
        "midpoint", "A sandstone plateau; a crease along its middle lines.";
        "square-square", "Autumn hills without a crease.";
        "successive-random-additions", "A snowy basin, without creases along the first grid lines.";
        "random-deposition", "Two hundred and fifty rectangles of slate.";
        "fault", "Three hundred cuts, softened.";
        "perlin", "Ridged noise: icy arêtes above blue clefts.";
        "hill", "Round hills, their valleys flattened.";
        "fourier", "A horn and its valleys, made of sine waves.";
        "wavelet", "A volcano of random wavelets.";
        "image", "A valley in Tennessee as it was measured.";
        "formula", "A ripple dying away over dunes, in one line of algebra.";
    }
    Modifiers in "modifiers/" {
        "normalize", "Low hills stretched to a range.";
        "power", "Wide valleys: heights to the power of 2.2.";
        "curve", "Two levels of plateaus between steep slopes.";
        "level", "The land lifted out of the sea.";
        "flatten", "Plains between the mountains.";
        "smooth-detail", "Rough ice, its finest detail smoothed twice.";
        "stitch", "A map that did not tile, repeated four times without a seam.";
        "edge-fade", "A mountain island with a square shore.";
        "island", "Two hills and a lagoon.";
        "perlin-blend", "Smooth hills with the texture of noise.";
        "blur", "Rough land under a strong Gaussian blur.";
        "domain-warp", "Straight ridges, bent into windings.";
        "invert", "Ridges upside down: red domes over sharp gorges.";
        "clamp", "Mesas and salt flats: cut off above and below.";
        "terrace", "Rice fields.";
        "strata", "A canyon through tilted beds of hard and soft rock.";
        "quantize", "Heights in twenty-four steps, as in a map with few bits per sample.";
        "erosion", "A fractal that rivers have carved into ranges and valleys.";
        "thermal", "A jagged fractal whose cliffs have become slopes of scree.";
        "fans", "Gullies of a young mountain have built debris cones on the floor of the valley.";
    }
}

/// The scene of the first start and of "Reset all": the first preset.
#[must_use]
pub fn start() -> &'static Scene {
    static START: OnceLock<Scene> = OnceLock::new();
    START.get_or_init(|| PRESETS[0].scene())
}

/// All presets, in display order.
#[must_use]
pub fn presets() -> &'static [Preset] {
    PRESETS
}

impl Preset {
    /// Find a preset by name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.name == name)
    }

    /// Parse the preset's scene.
    #[must_use]
    pub fn scene(&self) -> Scene {
        Scene::parse(self.text).expect("a preset is a valid scene")
    }
}
