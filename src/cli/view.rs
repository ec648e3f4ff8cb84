//! `landform view`, also the default without a subcommand: the window.

use clap::Args;

use super::args::ViewArgs;
#[cfg(not(feature = "window"))]
use super::console::Failure;
use super::scene_args::{SurfaceArgs, size};

#[cfg(feature = "window")]
mod open;
#[cfg(feature = "window")]
pub use open::run;

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    pub(super) scene: SurfaceArgs,
    #[command(flatten)]
    view: ViewArgs,
    /// Size of the window
    #[arg(long, value_name = "WxH", help_heading = "Picture", allow_hyphen_values = true, value_parser = size)]
    size: Option<(u32, u32)>,
}

/// Fail with a message that this build has no window.
#[cfg(not(feature = "window"))]
pub fn run(_: &Arguments) -> Result<(), Failure> {
    let words = "this program was built without its window (the feature `window`)";
    Err(Failure::failed(words.to_owned()))
}
