//! `landform scene`: a scene as text, as it is or at a time of its film.

use clap::Args;

use super::args::ViewArgs;
use super::console::{Failure, watch};
use super::scene_args::SurfaceArgs;
use crate::batch_renderer::BatchRenderer;
use crate::camera::film::{self, MOST_PICTURES};
use crate::generate::MAX_ITERATIONS;
use crate::scene::MOST_SECONDS;

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    scene: SurfaceArgs,
    #[command(flatten)]
    view: ViewArgs,
    /// Print every setting, not only those that differ from the defaults
    #[arg(long, help_heading = "Options")]
    all: bool,
    /// The scene at this time of its film, in seconds from the beginning
    #[arg(long, value_name = "S", help_heading = "Film", value_parser = seconds, allow_hyphen_values = true)]
    at: Option<f32>,
    /// The scene at that picture of its film, counted from 1: rendering it gives that picture
    #[arg(long, value_name = "N", help_heading = "Film", conflicts_with = "at", allow_hyphen_values = true,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_PICTURES)))]
    frame: Option<u32>,
}

fn seconds(text: &str) -> Result<f32, String> {
    let number = text.parse().ok();
    let number = number.filter(|number| (0.0..=MOST_SECONDS).contains(number));
    number.ok_or_else(|| format!("allowed: 0 to {MOST_SECONDS}"))
}

impl Arguments {
    /// The number of threads given by `--threads`; 1 for text alone.
    pub fn threads(&self) -> Option<usize> {
        if self.at.is_none() && self.frame.is_none() {
            return Some(1);
        }
        self.scene.threads()
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let most = |_: &_| MAX_ITERATIONS;
    let (mut scene, _) = arguments.scene.scene(Some(&arguments.view), most)?;
    let number = arguments.frame;
    if let Some(time) = arguments
        .at
        .or(number.map(|number| film::time_of(&scene, number)))
    {
        // A camera path depends on the ground heights.
        scene = watch("making the landscape", false, |job| {
            BatchRenderer::new(super::warn).scene_at(&scene, time, job)
        })?;
    }
    super::print(&if arguments.all {
        scene.to_toml()
    } else {
        scene.to_short_toml()
    })
}
