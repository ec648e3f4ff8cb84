//! File names: `-` for standard output, patterns with placeholders, unused names, and names of a scene's
//! inputs relative to the file that holds the scene. Names that are not UTF-8 are supported.

use std::fs;
use std::path::{Path, PathBuf, absolute};

#[cfg(feature = "formats")]
use crate::files::import::decoder_of;
use crate::files::import::{ImportError, is_builtin, sum_of_input};
use crate::scene::Scene;

/// True if a path means standard output: `-`.
#[must_use]
pub fn is_standard_output(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// First unused name among `stem-001.extension`, `stem-002.extension` … in `folder`.
#[must_use]
pub fn free_name(folder: &Path, stem: &str, extension: &str) -> PathBuf {
    (1u64..)
        .map(|number| folder.join(format!("{stem}-{number:03}.{extension}")))
        .find(|path| fs::symlink_metadata(path).is_err())
        .expect("more names than files")
}

/// Fill the placeholders of a pattern, such as `{row}`. A name that is not UTF-8 keeps its bytes.
#[must_use]
pub fn filled(pattern: &Path, words: &[(&str, &str)]) -> PathBuf {
    let mut name = bytes_of(pattern);
    for (word, value) in words {
        name = replaced(&name, format!("{{{word}}}").as_bytes(), value.as_bytes());
    }
    path_of(name)
}

/// True if a pattern contains a placeholder.
pub fn has_word(pattern: &Path, word: &str) -> bool {
    pattern.to_string_lossy().contains(&format!("{{{word}}}"))
}

fn replaced(text: &[u8], word: &[u8], value: &[u8]) -> Vec<u8> {
    let (mut result, mut rest) = (Vec::new(), text);
    while let Some(at) = rest.windows(word.len()).position(|found| found == word) {
        result.extend_from_slice(&rest[..at]);
        result.extend_from_slice(value);
        rest = &rest[at + word.len()..];
    }
    result.extend_from_slice(rest);
    result
}

#[cfg(unix)]
fn bytes_of(path: &Path) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt;
    path.as_os_str().as_bytes().to_vec()
}

#[cfg(unix)]
fn path_of(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;
    std::ffi::OsString::from_vec(bytes).into()
}

#[cfg(not(unix))]
fn bytes_of(path: &Path) -> Vec<u8> {
    path.to_string_lossy().into_owned().into_bytes()
}

#[cfg(not(unix))]
fn path_of(bytes: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

/// Scene as stored in an output file. Input paths are relative to that file's folder, or, if both share
/// nothing but the root, only file names. Images get a checksum.
///
/// # Errors
/// An image cannot be read.
pub fn portable(scene: &Scene, file: &Path) -> Result<Scene, ImportError> {
    with_files(scene, file, |folder, file| {
        let name = || file.file_name().map_or(file.to_owned(), PathBuf::from);
        relative(folder, file).unwrap_or_else(name)
    })
}

/// Scene with its input paths replaced by `call`, which is given the folder of `file` and the path.
fn with_files(
    scene: &Scene,
    file: &Path,
    call: impl Fn(&Path, &Path) -> PathBuf,
) -> Result<Scene, ImportError> {
    let folder = file.parent().unwrap_or(Path::new(""));
    #[cfg(feature = "formats")]
    let named = scene;
    let mut scene = scene.clone();
    for (image, checksum) in scene.images_mut() {
        checksum.clear();
        if !is_builtin(image) {
            *checksum = sum_of_input(image)?;
            *image = call(folder, image);
        }
    }
    #[cfg(feature = "formats")]
    for (surface, before) in scene.surfaces_mut().zip(named.surfaces()) {
        let input = before.input.as_deref();
        let decoder = input.and_then(|input| decoder_of(input, &before.reading));
        surface.input_decoder = decoder.unwrap_or_default();
    }
    let palette = Path::new(&scene.view.palette);
    if palette.extension().is_some_and(|end| end == "toml")
        && let Some(named) = call(folder, palette).to_str()
    {
        scene.view.palette = named.to_owned();
    }
    Ok(scene)
}

/// Scene as stored in a scene file. Input paths are relative to that file's folder if they lie below it, else absolute.
///
/// # Errors
/// An image cannot be read.
pub(super) fn in_full(scene: &Scene, file: &Path) -> Result<Scene, ImportError> {
    with_files(scene, file, |folder, file| {
        let whole = || absolute(file).unwrap_or_else(|_| file.to_owned());
        below(folder, file).unwrap_or_else(whole)
    })
}

/// Path relative to a folder that contains it; `None` if it lies elsewhere.
fn below(folder: &Path, file: &Path) -> Option<PathBuf> {
    let (folder, file) = (absolute(here(folder)).ok()?, absolute(file).ok()?);
    file.strip_prefix(folder).map(Path::to_owned).ok()
}

/// Path relative to a folder, with `..` where needed; `None` if both share only the root.
fn relative(folder: &Path, file: &Path) -> Option<PathBuf> {
    if let Some(below) = below(folder, file) {
        return Some(below);
    }
    // Resolve links first, since `..` behind a link leads elsewhere.
    let (folder, file) = (here(folder).canonicalize().ok()?, file.canonicalize().ok()?);
    let common = folder.ancestors().find(|common| file.starts_with(common))?;
    common.parent()?;
    let up = folder.strip_prefix(common).ok()?.components().map(|_| "..");
    let up: PathBuf = up.collect();
    Some(up.join(file.strip_prefix(common).ok()?))
}

fn here(folder: &Path) -> &Path {
    match folder == Path::new("") {
        true => Path::new("."),
        false => folder,
    }
}
