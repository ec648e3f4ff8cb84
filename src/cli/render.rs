//! `landform render`: the picture that the window would show, without a display.

use std::path::PathBuf;

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
    /// Size of the picture in pixels
    #[arg(long, value_name = "WxH", help_heading = "Picture", value_parser = size,
        default_value = "1280x720")]
    size: (u32, u32),
    /// PNG file to write
    #[arg(short, long, value_name = "FILE.png")]
    output: PathBuf,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let most = |_: &_| MAX_ITERATIONS_IN_MEMORY;
    let (scene, _) = arguments.scene.scene(Some(&arguments.view), most)?;
    let _ = (scene, &arguments.output, arguments.size);
    Err(Failure::failed("no renderer yet"))
}
