//! A picture without a display: `cargo run --example picture -- mountains.png`. It needs the
//! feature `render` and OpenGL 3.3; Mesa's software driver is enough.

use std::error::Error;
use std::path::Path;

use landform::{export, import, inputs::Inputs, job::Job, pipeline::Pipeline, render};

fn main() -> Result<(), Box<dyn Error>> {
    write(
        std::env::args()
            .nth(1)
            .unwrap_or("mountains.png".to_owned())
            .as_ref(),
    )
}

/// Writes a picture of a preset in the light of a low sun.
pub fn write(path: &Path) -> Result<(), Box<dyn Error>> {
    let preset = import::Preset::named("alpine").ok_or("no such preset")?;
    let mut scene = preset.scene();
    scene.light.bearing = 250.0;
    scene.light.elevation = 8.0;
    let landscape = Pipeline::default().run(&scene, &Inputs::default(), &Job::new())?;
    let picture = render::picture(&landscape, (480, 270))?;
    export::picture(path, &picture, &scene)?;
    Ok(())
}
