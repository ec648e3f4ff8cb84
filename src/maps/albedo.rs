//! The colours of the ground by height without any light, with a texel a sample: the base colour
//! for a shader that lights the ground itself.

use super::colors::Gradient;
use super::{Kind, Map, Relief};
use crate::job::{Cancelled, Job};
use crate::texture::Palette;

/// The map `albedo`.
pub(super) const MAP: Map = Map {
    name: "albedo",
    help: "The palette's colours by height, unlit, a texel a sample: a base colour for shaders.",
    unit: "",
    range: None,
    kind: Kind::Paint(paint),
};

/// The colours (sRGB) of a rectangle, row after row; `range` holds the heights of the palette's
/// ends.
fn paint(
    relief: &Relief<'_>,
    palette: &Palette,
    range: (f32, f32),
    job: &Job,
) -> Result<Vec<[u8; 3]>, Cancelled> {
    let gradient = Gradient::new(palette, range);
    let mut colors = Vec::with_capacity(relief.rows() * relief.columns());
    for row in 0..relief.rows() {
        job.check()?;
        let heights = relief.heights(row).iter();
        colors.extend(heights.map(|h| gradient.color(*h).map(|c| (c + 0.5) as u8)));
    }
    Ok(colors)
}
