//! Files into scenes, images and palettes: one kind of file a module.
//!
//! ```text
//! .toml                        a scene; or, where a scene names a palette, a palette
//! PNG, JPEG, BMP, PGM, TIFF    a grey image as heights, known by its content, not its name
//! .npy .r16 .r32               arrays of heights
//! builtin:NAME                 an image that comes with the program
//! ```

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::generate::{Generator, Inputs};
use crate::grid::Grid;
use crate::heightmap::Heightmap;
use crate::scene::{RenderType, Scene, SceneError};
use crate::texture::Palette;

mod builtin;
mod numpy;
mod picture;
mod presets;
mod raw;

pub use picture::{RANGE_CHUNK, SCENE_CHUNK};
pub use presets::{Group, Preset, presets, start};

/// Most samples a side of an image.
pub const MAX_SIDE: usize = 32_768;

/// A scene or palette file of more bytes is not one.
const MAX_TEXT_BYTES: u64 = 1 << 20;

/// Why a file could not be taken. The path comes last, since it may be long.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The system would not open or read it.
    #[error("cannot read: {}: {}", reason(source), path.display())]
    Read {
        /// What the system says.
        source: io::Error,
        /// The file.
        path: PathBuf,
    },
    /// Not a scene.
    #[error("not a scene: {source}: {}", path.display())]
    Scene {
        /// What is wrong with it, and where.
        source: SceneError,
        /// The file.
        path: PathBuf,
    },
    /// Not a palette.
    #[error("not a palette: {message}: {}", path.display())]
    Palette {
        /// What is wrong with it, and where.
        message: String,
        /// The file.
        path: PathBuf,
    },
    /// Not an image, or one that is broken or too large.
    #[error("not a usable image: {message}: {}", path.display())]
    Image {
        /// What is wrong with it.
        message: String,
        /// The file.
        path: PathBuf,
    },
}

/// What the system says, in the style of our messages: lower case, without the error number.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => "unknown error".to_owned(),
    }
}

/// The scene that a file stands for.
///
/// A `.toml` file is a scene; paths in it are relative to its folder. A picture that Landform
/// saved is the scene it shows. Any other image becomes a default scene over that image, drawn
/// as triangles; if it is a height map that says its range (`.npy`, `.r32`, or a PNG that
/// Landform wrote), with the heights that it had.
///
/// # Errors
/// The file cannot be read, is no scene and no image, or a setting is out of range.
pub fn open(path: &Path) -> Result<Scene, ImportError> {
    if has_extension(path, "toml") {
        return open_scene(path);
    }
    length(path)?;
    match picture::embedded_scene(path) {
        Some(scene) => Ok(scene),
        None => open_image(path),
    }
}

/// The default scene over an image, drawn as triangles, see [`open`].
///
/// # Errors
/// The file cannot be read or is no image.
pub fn open_image(path: &Path) -> Result<Scene, ImportError> {
    if path.to_str().is_none() {
        return Err(broken(
            path,
            "its path is not UTF-8, so no scene can name it",
        ));
    }
    let heights = image(path)?;
    let mut scene = Scene::default();
    scene.surface.generator = Generator::Image;
    scene.surface.input = Some(path.to_owned());
    scene.view.render_type = RenderType::Triangles;
    if let Some((low, high)) = heights_range(path, &heights) {
        scene.surface.input_low = low;
        scene.surface.input_high = high;
    }
    Ok(scene)
}

/// The map in a file of heights (see [`holds_heights`]) as it is. It wraps if its opposite edges
/// are equal.
///
/// # Errors
/// As [`image()`].
pub fn heights(path: &Path) -> Result<Heightmap, ImportError> {
    let grid = image(path)?;
    let (rows, columns) = (grid.rows(), grid.columns());
    let wraps = (rows == 1 || grid.row(0) == grid.row(rows - 1))
        && (0..rows).all(|row| grid.at(row, 0) == grid.at(row, columns - 1));
    Ok(Heightmap::new(
        rows,
        columns,
        wraps,
        grid.as_slice().to_vec(),
    ))
}

/// Lowest and highest height of a file that holds heights in half tiles rather than brightness.
fn heights_range(path: &Path, image: &Grid<f32>) -> Option<(f32, f32)> {
    /// Arrays that reach further are in metres or another unit.
    const HALF_TILES: f32 = 10.0;
    let (low, high) = image.range();
    if has_extension(path, "npy") || has_extension(path, "r32") {
        return (low >= -HALF_TILES && high <= HALF_TILES).then_some((low, high));
    }
    let (black, white) = picture::embedded_range(path)?;
    let height = |value: f32| match value / f32::from(u16::MAX) {
        1.0 => white,
        t => black + (white - black) * t,
    };
    let limit = |height: f32| height.clamp(-1000.0, 1000.0);
    Some((limit(height(low)), limit(height(high))))
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

/// Reads every image and palette file that the scene names.
///
/// # Errors
/// One of them cannot be read or is broken.
pub fn inputs(scene: &Scene) -> Result<Inputs, ImportError> {
    let mut inputs = Inputs::default();
    for path in scene.surfaces().filter_map(|s| s.input.as_ref()) {
        inputs.insert(path.clone(), Arc::new(image(path)?));
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

/// The values of an image as stored, row 0 at the top: 8- and 16-bit grey as whole numbers,
/// colours by their luminance (Rec. 709 weights on the stored values), transparency ignored;
/// `.npy`, `.r16` and `.r32` as numbers. At most [`MAX_SIDE`] samples a side, at least 2 across.
///
/// # Errors
/// The file cannot be read, is cut short, lies about its size, is too large, or of another type.
pub fn image(path: &Path) -> Result<Grid<f32>, ImportError> {
    if let Some(bytes) = builtin::image(path) {
        return picture::read_bytes(path, bytes);
    }
    let length = length(path)?;
    if length == 0 {
        return Err(broken(path, "the file is empty"));
    }
    let grid = match extension(path).as_str() {
        "npy" => numpy::read(path)?,
        "r16" => raw::read_u16(path, length)?,
        "r32" => raw::read_f32(path, length)?,
        _ => picture::read(path, length)?,
    };
    if grid.columns() < 2 {
        return Err(broken(path, "1 sample across, allowed is 2 or more"));
    }
    match grid.as_slice().iter().find(|value| !value.is_finite()) {
        None => Ok(grid),
        Some(value) => Err(broken(
            path,
            &format!("it holds {value}, allowed are numbers"),
        )),
    }
}

/// Whether a path names an image that comes with the program.
#[must_use]
pub fn is_builtin(path: &Path) -> bool {
    builtin::image(path).is_some()
}

/// Whether a file's numbers are heights as they are, not brightness.
#[must_use]
pub fn holds_heights(path: &Path) -> bool {
    ["npy", "r16", "r32"].contains(&extension(path).as_str())
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

/// A side of 0 or beyond the limit, said before memory is taken for it.
fn check_size(path: &Path, columns: u64, rows: u64) -> Result<(), ImportError> {
    let allowed = 1..=MAX_SIDE as u64;
    if allowed.contains(&columns) && allowed.contains(&rows) {
        return Ok(());
    }
    let message = format!("{columns} × {rows} samples, allowed is up to {MAX_SIDE} a side");
    Err(broken(path, &message))
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
