//! `image`: a grey image as a height map; its lowest value becomes `input_low`, its highest
//! `input_high`, both times the height scale.

use serde::{Deserialize, Serialize};

use super::{GenerateError, Request};
use crate::heightmap::Heightmap;
use crate::param::{Param, Params};
use crate::{choice, choice_param};

choice! {
    /// How many samples the image's map has.
    pub enum Size: "image size" {
        #[default]
        Native = "native", "One sample a pixel, the image as it is.";
        Resampled = "resampled", "(2^iterations + 1)² samples, bilinear.";
    }
}

/// Options of `image`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// How many samples; default `native`.
    pub size: Size,
}

impl Params for Options {
    const PARAMS: &'static [Param<Self>] =
        &[choice_param!(size: Size, "Size", "How many samples the map has.")];
}

/// The image's heights; free edges, since images seldom tile.
pub fn generate(options: &Options, request: &Request<'_>) -> Result<Heightmap, GenerateError> {
    let image = request.input_heights()?;
    let map = Heightmap::new(
        image.rows(),
        image.columns(),
        false,
        image.as_slice().to_vec(),
    );
    Ok(match options.size {
        Size::Native => map,
        Size::Resampled => {
            let side = (1usize << request.surface.iterations) + 1;
            map.resampled(side, side)
        }
    })
}
