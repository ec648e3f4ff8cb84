//! Portable scenes: input paths are stored relative to the file that holds the scene.

use std::path::{Path, PathBuf, absolute};

#[cfg(feature = "formats")]
use crate::files::import::decoder_of;
use crate::files::import::{ImportError, is_builtin, sum_of_input};
use crate::scene::Scene;

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
pub(super) fn with_files(
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
        let decoder = before
            .input
            .as_deref()
            .and_then(|input| decoder_of(input, &before.reading));
        surface.input_decoder = decoder.unwrap_or_default();
    }
    let palette = Path::new(&scene.view.palette);
    if palette
        .extension()
        .is_some_and(|extension| extension == "toml")
        && let Some(named) = call(folder, palette).to_str()
    {
        scene.view.palette = named.to_owned();
    }
    Ok(scene)
}

/// Path relative to a folder that contains it; `None` if it lies elsewhere.
pub(super) fn below(folder: &Path, file: &Path) -> Option<PathBuf> {
    let folder = absolute(here(folder)).ok()?;
    let file = absolute(file).ok()?;
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
    Some(
        up.collect::<PathBuf>()
            .join(file.strip_prefix(common).ok()?),
    )
}

fn here(folder: &Path) -> &Path {
    if folder == Path::new("") {
        Path::new(".")
    } else {
        folder
    }
}
