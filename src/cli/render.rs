//! `landform render`: the picture that the window would show, without a display.

use std::path::PathBuf;

use clap::Args;

use super::error::Failure;
use super::progress::watch;
use super::scene_args::{SurfaceArgs, ViewArgs, size};
use crate::export::{self, check_memory};
use crate::generate::MAX_ITERATIONS_IN_MEMORY;
use crate::pipeline::Pipeline;
use crate::render::{self, RenderError};

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    scene: SurfaceArgs,
    #[command(flatten)]
    view: ViewArgs,
    /// Size of the picture in pixels
    #[arg(long, value_name = "WxH", help_heading = "Picture", allow_hyphen_values = true, value_parser = size,
        default_value = "1280x720")]
    size: (u32, u32),
    /// PNG file to write
    #[arg(short, long, value_name = "FILE.png")]
    output: PathBuf,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let output = &arguments.output;
    let extension = output.extension().unwrap_or_default().to_string_lossy();
    if !extension.eq_ignore_ascii_case("png") && !export::is_device(output) {
        return Err(Failure::usage(format!(
            "unknown picture type `{extension}`, allowed is png: {}",
            output.display()
        )));
    }
    let most = |_: &_| MAX_ITERATIONS_IN_MEMORY;
    let (scene, _) = arguments.scene.scene(Some(&arguments.view), most)?;
    check_memory(&scene)?;
    let inputs = super::inputs(&scene)?;
    let landscape = watch("generating", |job| {
        Pipeline::default().run(&scene, &inputs, job)
    })?;
    let picture = render::picture(&landscape, arguments.size).map_err(|error| match error {
        RenderError::Size { .. } => Failure::usage(error),
        error => Failure::failed(error),
    })?;
    export::picture(output, &picture, &scene)?;
    Ok(())
}
