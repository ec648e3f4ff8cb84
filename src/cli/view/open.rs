//! Start of the window with the scene from the command line.

use std::path::{Path, PathBuf};

use super::Arguments;
use crate::app::state::document::Document;
use crate::app::{self, AppOptions};
use crate::cli::console::Failure;
use crate::files::import;
use crate::generate::MAX_ITERATIONS_IN_MEMORY;
use crate::scene::Scene;

/// Open the window; returns when it is closed.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let most = |_: &_| MAX_ITERATIONS_IN_MEMORY;
    let given = &arguments.scene;
    let file = given.scene.as_ref().filter(|path| path.is_file());
    // The checksum is taken before the file is read, so that a later change by another program is noticed.
    let held = file.and_then(|path| import::sum_of_text(path));
    let (mut scene, _) = given.scene(Some(&arguments.view), most)?;
    absolute_paths(&mut scene);
    let flags = given.changed() || arguments.view.changed();
    // Without a scene and flags, the window restores its last session.
    let asked = given.scene.is_some() || flags;
    let document = match file {
        Some(path) => {
            let mut kept = if flags {
                import::open(path)?
            } else {
                scene.clone()
            };
            absolute_paths(&mut kept);
            Document::of(absolute(path), kept, held)
        }
        None => Document::unnamed(scene.clone()),
    };
    let options = AppOptions {
        given: asked.then_some((document, scene)),
        size: arguments.size,
        notices: given.notices(),
    };
    app::run(options).map_err(|error| Failure::failed(format!("{error:#}")))
}

/// Make the paths in a scene absolute, so that they remain valid from another working folder.
fn absolute_paths(scene: &mut Scene) {
    for (image, _) in scene.images_mut() {
        if !import::is_builtin(image) {
            *image = absolute(image);
        }
    }
    let palette = &mut scene.view.palette;
    if palette.ends_with(".toml")
        && let Some(named) = absolute(Path::new(palette)).to_str()
    {
        *palette = named.to_owned();
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
