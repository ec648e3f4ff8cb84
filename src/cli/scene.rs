//! `landform scene`: a scene as text.

use clap::Args;

use super::error::Failure;
use super::scene_args::{SurfaceArgs, ViewArgs};
use crate::generate::MAX_ITERATIONS;

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    scene: SurfaceArgs,
    #[command(flatten)]
    view: ViewArgs,
    /// Print every setting, not only those that differ from the defaults
    #[arg(long)]
    all: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let most = |_: &_| MAX_ITERATIONS;
    let (scene, _) = arguments.scene.scene(Some(&arguments.view), most)?;
    super::print(&if arguments.all {
        scene.to_toml()
    } else {
        scene.to_short_toml()
    })
}
