//! `landform view`, also what no command does: the window.

use clap::Args;

use super::error::Failure;
use super::scene_args::{SurfaceArgs, ViewArgs, size};
use crate::app::{self, AppOptions};
use crate::generate::MAX_ITERATIONS_IN_MEMORY;

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    scene: SurfaceArgs,
    #[command(flatten)]
    view: ViewArgs,
    /// Size of the window
    #[arg(long, value_name = "WxH", help_heading = "Picture", allow_hyphen_values = true, value_parser = size)]
    size: Option<(u32, u32)>,
}

impl Arguments {
    /// How many threads are asked for.
    pub fn threads(&self) -> Option<usize> {
        self.scene.threads()
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let most = |_: &_| MAX_ITERATIONS_IN_MEMORY;
    let (scene, scene_path) = arguments.scene.scene(Some(&arguments.view), most)?;
    // Nothing asked for: the window goes on where it was closed.
    let given = &arguments.scene;
    let asked = given.scene.is_some() || given.changed() || arguments.view.changed();
    let options = AppOptions {
        scene: asked.then_some(scene),
        scene_path,
        size: arguments.size,
        notices: given.notices(),
    };
    app::run(options).map_err(|error| Failure::failed(format!("{error:#}")))
}
