//! `landform view`, also what no command does: the window.

use clap::Args;

use super::error::Failure;
use super::scene_args::{SurfaceArgs, ViewArgs, size};
use crate::generate::MAX_ITERATIONS_IN_MEMORY;

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    scene: SurfaceArgs,
    #[command(flatten)]
    view: ViewArgs,
    /// Size of the window
    #[arg(long, value_name = "WxH", help_heading = "Picture", value_parser = size)]
    size: Option<(u32, u32)>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let most = |_: &_| MAX_ITERATIONS_IN_MEMORY;
    let (scene, scene_path) = arguments.scene.scene(Some(&arguments.view), most)?;
    let _ = (scene, scene_path, arguments.size);
    Err(Failure::failed("no window yet"))
}
