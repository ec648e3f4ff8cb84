//! Files into scenes, heights and palettes: one format a file, and a list of them.
//!
//! ```text
//! .toml                       a scene; or, where a scene names a palette, a palette
//! PNG, JPEG, BMP, PGM         brightness as heights
//! TIFF, OpenEXR, NumPy, ASC   heights; all of these are known by their content, not their name
//! .r16 .r32 .hgt              heights without a mark, known by their name
//! .obj .ply .stl .glb         meshes, for the scene that they were made from
//! builtin:NAME                an image that comes with the program
//! ```
//!
//! Every file that Landform writes gives its scene back, from inside it or from the `.json`
//! beside it, see [`open`]; as heights it gives them back to the last bit.
//!
//! No file makes the program take more memory than it can hold: of packed formats at most what
//! its packing can reach (a 1032nd for deflate, a 3000th for LZW, a 512th for JPEG), and a side of
//! at most [`MAX_SIDE`].

use std::fs::{self, File};
use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;
use std::sync::Arc;

use crate::generate::{Inputs, Surface};
use crate::grid::Grid;
use crate::heightmap::Heightmap;
use crate::scene::{RenderType, Scene};
use crate::texture::Palette;

mod asc;
mod bmp;
mod builtin;
mod comments;
mod error;
mod exr;
mod fill;
mod format;
mod glb;
mod hgt;
mod jpeg;
mod numpy;
mod obj;
mod pgm;
mod picture;
mod ply;
mod png;
mod presets;
mod raw;
mod recipe;
mod samples;
mod sidecar;
mod source;
mod stl;
mod sum;
mod tiff;

use format::Format;
use source::{Broken, Bytes, Source};

pub use error::ImportError;
pub(crate) use error::reason;
pub use fill::fill;
pub(crate) use png::sum_of_rows;
pub use png::{RANGE_CHUNK, SCENE_CHUNK, SUM_CHUNK};
pub use presets::{Group, Preset, presets, start};
use recipe::Recipe;
pub(crate) use recipe::recipe_text;
pub use samples::{Extent, Meaning, Samples};
pub(crate) use samples::{in_half_tiles, tile_size_m};
use sidecar::{Beside, Sidecar};
pub use sidecar::{checksum, has_sidecar, sidecar_of};
pub(crate) use sum::{Adds, ByteSum, Sum, Summing, TextSum};
pub(crate) use tiff::{FINE_TAG, METADATA_TAG};

/// Most samples a side of an image.
pub const MAX_SIDE: usize = 32_768;

/// A scene or palette file of more bytes is not one.
const MAX_TEXT_BYTES: u64 = 1 << 20;

/// The scene that a file stands for.
///
/// A `.toml` file is a scene; paths in it are relative to its folder. Any file that Landform
/// exported is the scene that it was made from: PNG, TIFF, OpenEXR, ASC, OBJ, PLY and GLB hold it
/// as their recipe; of other formats it is in the `.json` beside the file. It counts only as long
/// as the file holds what it made: each states a checksum. Any other height map becomes a default
/// scene over it, see [`open_image`].
///
/// # Errors
/// The file cannot be read, is no scene and no image, or a setting is out of range; a mesh
/// without its scene.
pub fn open(path: &Path) -> Result<Scene, ImportError> {
    match scene(path)? {
        Some(scene) => Ok(scene),
        None => open_image(path),
    }
}

/// The scene that a file holds or has beside it, see [`open`]; `None` if it has none.
///
/// # Errors
/// The file cannot be read, is a `.toml` file that is no scene, or a mesh whose recipe does not
/// count.
pub fn scene(path: &Path) -> Result<Option<Scene>, ImportError> {
    find(path).map(|found| found.scene)
}

/// What [`find`] finds.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The scene that made the file.
    pub scene: Option<Scene>,
    /// Words for the user: that there is a recipe and why it does not count, or what in it this
    /// program does not know.
    pub notices: Vec<String>,
}

/// As [`scene`], with what the user should know about it.
///
/// # Errors
/// As [`scene`].
pub fn find(path: &Path) -> Result<Found, ImportError> {
    if has_extension(path, "toml") {
        return open_scene(path).map(|scene| Found {
            notices: newer(&scene, path).into_iter().collect(),
            scene: Some(scene),
        });
    }
    let none = Found {
        scene: None,
        notices: Vec::new(),
    };
    if is_builtin(path) {
        return Ok(none);
    }
    let (inside, is_mesh) = with_source(path, None, |source, extension| {
        let Ok(format) = format::of(extension, source) else {
            return Ok((Recipe::None, false));
        };
        let recipe = (format.recipe)(source).unwrap_or(Recipe::None);
        Ok((recipe, format.is_mesh))
    })?;
    let recipe = match (inside, sidecar::look_beside(path)) {
        (Recipe::Fits(scene), _) => Recipe::Fits(scene),
        (
            _,
            Beside::Own(Sidecar {
                scene: Some(Ok(scene)),
                ..
            }),
        ) => Recipe::Fits(Box::new(scene)),
        (
            Recipe::None,
            Beside::Own(Sidecar {
                scene: Some(Err(reason)),
                ..
            }),
        ) => Recipe::Useless(format!("the recipe beside it cannot be read ({reason})")),
        (Recipe::None, Beside::Other) => {
            Recipe::Useless("the recipe beside it is of another version of it".to_owned())
        }
        (inside, _) => inside,
    };
    match recipe {
        Recipe::Fits(scene) => {
            let scene = found_beside(path, *scene);
            if !is_mesh && reads(&scene, path) {
                let words = "its recipe takes the file itself for its input, so that its heights \
                             count, not the recipe";
                return Ok(Found {
                    notices: vec![said_of(path, words)],
                    ..none
                });
            }
            Ok(Found {
                notices: newer(&scene, path).into_iter().collect(),
                scene: Some(scene),
            })
        }
        Recipe::Useless(reason) if is_mesh => Err(broken(
            path,
            &format!("a mesh has no grid of heights, and {reason}"),
        )),
        Recipe::Useless(reason) => Ok(Found {
            notices: vec![said_of(
                path,
                &format!("{reason}, so that its heights count, not the recipe"),
            )],
            ..none
        }),
        Recipe::None => Ok(none),
    }
}

fn said_of(path: &Path, words: &str) -> String {
    format!("{words}: {}", crate::words::named(path))
}

/// What a scene of a later version has that this program does not know.
fn newer(scene: &Scene, path: &Path) -> Option<String> {
    let words = scene.later_words()?;
    Some(said_of(path, &words))
}

/// Whether a scene takes the file itself as an input.
fn reads(scene: &Scene, path: &Path) -> bool {
    let Ok(file) = fs::canonicalize(path) else {
        return false;
    };
    let mut inputs = scene
        .surfaces()
        .filter_map(|surface| surface.input.as_ref());
    inputs.any(|input| fs::canonicalize(input).is_ok_and(|input| input == file))
}

/// The scene with the files that it names as seen from here: they are relative to the folder of
/// the file that held it.
fn found_beside(path: &Path, mut scene: Scene) -> Scene {
    let folder = path.parent().unwrap_or(Path::new(""));
    let moved = |named: &Path| {
        let here = folder.join(named);
        (!is_builtin(named) && here.exists()).then_some(here)
    };
    for input in scene.surfaces_mut().filter_map(|s| s.input.as_mut()) {
        if let Some(here) = moved(input) {
            *input = here;
        }
    }
    if is_palette_file(&scene.view.palette)
        && let Some(here) = moved(Path::new(&scene.view.palette))
        && let Some(named) = here.to_str()
    {
        scene.view.palette = named.to_owned();
    }
    scene
}

/// The default scene over a height map, drawn as triangles, as high and as wide as the file says
/// it is; whatever scene the file may hold. A file that does not say its unit becomes 0…0.4
/// half tiles high, but floats within ±10 are taken as half tiles.
///
/// # Errors
/// As [`image()`].
pub fn open_image(path: &Path) -> Result<Scene, ImportError> {
    let mut scene = Scene::default();
    show_image(path, &mut scene.surface)?;
    scene.view.render_type = RenderType::Triangles;
    Ok(scene)
}

/// Makes a surface show a height map: generator, input, lowest and highest height, and the size
/// of the tile where the file says it. Everything else stays.
///
/// # Errors
/// As [`image()`].
pub fn show_image(path: &Path, surface: &mut Surface) -> Result<(), ImportError> {
    extent(path)?.show(path, surface);
    Ok(())
}

/// How high and how wide a height map is.
///
/// # Errors
/// As [`image()`]; no scene can name the file since its path is not UTF-8.
pub fn extent(path: &Path) -> Result<Extent, ImportError> {
    if path.to_str().is_none() {
        return Err(broken(
            path,
            "its path is not UTF-8, so no scene can name it",
        ));
    }
    Ok(samples(path)?.extent())
}

/// The map in a file of heights (see [`holds_heights`]) as it is. It wraps if its opposite edges
/// are equal.
///
/// # Errors
/// As [`image()`].
pub fn heights(path: &Path) -> Result<Heightmap, ImportError> {
    samples(path).map(Samples::into_heightmap)
}

fn open_scene(path: &Path) -> Result<Scene, ImportError> {
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
    Ok(scene)
}

/// Reads every image and palette file that the scene names. Where samples held no data and were
/// filled, a notice says so.
///
/// # Errors
/// One of them cannot be read or is broken.
pub fn inputs(scene: &Scene) -> Result<Inputs, ImportError> {
    let mut inputs = Inputs::default();
    for path in scene.surfaces().filter_map(|s| s.input.as_ref()) {
        let samples = samples(path)?;
        if let Some(notice) = samples.notice(path) {
            inputs.notify(notice);
        }
        let top = samples.top();
        inputs.insert(path.clone(), Arc::new(samples.grid));
        if let Some(top) = top {
            inputs.set_top(path.clone(), top);
        }
    }
    let palette = &scene.view.palette;
    if is_palette_file(palette) {
        inputs.insert_palette(
            palette.clone(),
            Arc::new(self::palette(Path::new(palette))?),
        );
    }
    Ok(inputs)
}

/// Whether a palette's name is a path.
fn is_palette_file(name: &str) -> bool {
    has_extension(Path::new(name), "toml")
}

/// Reads a palette; without a name of its own it takes the file's.
///
/// # Errors
/// The file cannot be read or is no palette.
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

/// The values of a height map, row 0 at the top: brightness and whole numbers from 0 as stored,
/// colours by their luminance (Rec. 709 weights on the stored values), transparency ignored;
/// metres of a file that says how far apart its samples are as half tiles; other numbers as
/// stored. Samples without data are filled from their neighbours, see [`fill`]. At most
/// [`MAX_SIDE`] samples a side, at least 2 across.
///
/// # Errors
/// The file cannot be read, is cut short, lies about its size, is too large, of another type, or
/// holds no data at all.
pub fn image(path: &Path) -> Result<Grid<f32>, ImportError> {
    Ok(samples(path)?.grid)
}

/// As [`image()`], with what the file says about the values.
///
/// # Errors
/// As [`image()`].
pub fn samples(path: &Path) -> Result<Samples, ImportError> {
    if let Some(bytes) = builtin::image(path) {
        return samples_in("png", bytes).map_err(|message| broken(path, &message));
    }
    let sidecar = sidecar::beside(path);
    with_source(path, sidecar.as_ref(), |source, extension| {
        read(extension, source)
    })
}

/// As [`samples()`], of bytes in memory; `extension` is the end of the name that the file would
/// have, small, without the dot.
///
/// # Errors
/// What is wrong, on one line.
pub fn samples_in(extension: &str, bytes: &[u8]) -> Result<Samples, String> {
    read(
        extension,
        &mut Source {
            bytes: &mut Cursor::new(bytes),
            length: bytes.len() as u64,
            sidecar: None,
        },
    )
    .map_err(|broken| match broken {
        Broken::Io(error) => reason(&error),
        Broken::Wrong(message) => message,
    })
}

/// The scene inside bytes in memory, if there is one that counts; `extension` as in
/// [`samples_in`].
#[must_use]
pub fn scene_in(extension: &str, bytes: &[u8]) -> Option<Scene> {
    let source = &mut Source {
        bytes: &mut Cursor::new(bytes),
        length: bytes.len() as u64,
        sidecar: None,
    };
    let format = format::of(extension, source).ok()?;
    match (format.recipe)(source).ok()? {
        Recipe::Fits(scene) => Some(*scene),
        _ => None,
    }
}

fn read(extension: &str, source: &mut Source<'_>) -> Result<Samples, Broken> {
    if source.length == 0 {
        return Err(Broken::wrong("the file is empty"));
    }
    let format = format::of(extension, source)?;
    (format.read)(source)?.finished(source.sidecar)
}

/// Opens a file and hands it on, with the end of its name.
fn with_source<T>(
    path: &Path,
    sidecar: Option<&Sidecar>,
    use_it: impl FnOnce(&mut Source<'_>, &str) -> Result<T, Broken>,
) -> Result<T, ImportError> {
    let length = length(path)?;
    let file = File::open(path).map_err(unreadable(path))?;
    let mut file = BufReader::with_capacity(length.clamp(1 << 10, 1 << 18) as usize, file);
    let bytes: &mut dyn Bytes = &mut file;
    let mut source = Source {
        bytes,
        length,
        sidecar,
    };
    use_it(&mut source, &extension(path)).map_err(|error| match error {
        Broken::Io(source) => unreadable(path)(source),
        Broken::Wrong(message) => broken(path, &message),
    })
}

/// Whether a path names an image that comes with the program.
#[must_use]
pub fn is_builtin(path: &Path) -> bool {
    builtin::image(path).is_some()
}

/// Whether a file's numbers are heights as they are, not brightness, by the end of its name.
#[must_use]
pub fn holds_heights(path: &Path) -> bool {
    format::named(&extension(path)).is_some_and(|format| format.is_heights)
}

/// The ends of the names of files that can be opened: scenes, height maps, meshes.
#[must_use]
pub fn extensions() -> Vec<&'static str> {
    let formats = format::FORMATS.iter().flat_map(|format| format.extensions);
    std::iter::once("toml").chain(formats.copied()).collect()
}

/// The ends of the names of files that hold a grid of brightness or heights.
#[must_use]
pub fn map_extensions() -> Vec<&'static str> {
    let formats = format::FORMATS.iter().filter(|format| !format.is_mesh);
    formats
        .flat_map(|format| format.extensions)
        .copied()
        .collect()
}

fn extension(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default();
    extension.to_string_lossy().to_lowercase()
}

fn has_extension(path: &Path, wanted: &str) -> bool {
    extension(path) == wanted
}

fn broken(path: &Path, message: &str) -> ImportError {
    ImportError::Image {
        message: message.lines().map(str::trim).collect::<Vec<_>>().join(" "),
        path: path.to_owned(),
    }
}

fn unreadable(path: &Path) -> impl Fn(io::Error) -> ImportError {
    move |source| ImportError::Read {
        source,
        path: path.to_owned(),
    }
}

/// The length of a regular file; devices, pipes and folders are refused.
fn length(path: &Path) -> Result<u64, ImportError> {
    let metadata = fs::metadata(path).map_err(unreadable(path))?;
    if metadata.is_file() {
        Ok(metadata.len())
    } else {
        let what = if metadata.is_dir() {
            "a folder"
        } else {
            "not a file"
        };
        Err(unreadable(path)(io::Error::other(what)))
    }
}

fn text(path: &Path) -> Result<String, ImportError> {
    let length = length(path)?;
    if length > MAX_TEXT_BYTES {
        let message = format!("{length} bytes, allowed is up to {MAX_TEXT_BYTES}");
        return Err(unreadable(path)(io::Error::other(message)));
    }
    let mut text = String::new();
    File::open(path)
        .and_then(|file| file.take(MAX_TEXT_BYTES).read_to_string(&mut text))
        .map_err(unreadable(path))?;
    Ok(text)
}
