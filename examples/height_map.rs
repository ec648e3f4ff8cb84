//! A height map in ten lines: `cargo run --example height_map -- mountains.png`. It needs no
//! feature.

use std::error::Error;
use std::path::Path;

use landform::export::{self, Options};
use landform::{inputs::Inputs, job::Job, scene::Scene};

fn main() -> Result<(), Box<dyn Error>> {
    write(
        std::env::args()
            .nth(1)
            .unwrap_or("mountains.png".to_owned())
            .as_ref(),
    )
}

/// Writes 1025² heights into a file; the ending of its name chooses the format.
pub fn write(path: &Path) -> Result<(), Box<dyn Error>> {
    let mut scene = Scene::default();
    scene.surface.seed = 42;
    scene.surface.iterations = 10;
    scene.surface.hurst = 0.8;
    export::heightmap(
        path,
        &scene,
        &Inputs::default(),
        Options::default(),
        &Job::new(),
    )?;
    Ok(())
}
