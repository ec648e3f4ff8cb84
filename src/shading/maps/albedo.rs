//! Albedo: unlit colours of the ground, a texel a sample, as the base colour for a shader.

use super::colors::Gradient;
use super::{Colors, Kind, Map, Relief};
use crate::util::job::{Cancelled, Job};

/// Map `albedo`.
pub(super) const MAP: Map = Map {
    name: "albedo",
    help: "The palette's colours, unlit, a texel a sample: a base colour for shaders.",
    unit: "",
    range: None,
    kind: Kind::Paint(paint),
};

/// Colours (sRGB) of a rectangle, row after row.
fn paint(relief: &Relief<'_>, colors: &Colors<'_>, job: &Job) -> Result<Vec<[u8; 3]>, Cancelled> {
    let gradient = Gradient::new(colors.palette, colors.range);
    let mut painted = Vec::with_capacity(relief.rows() * relief.columns());
    for row in 0..relief.rows() {
        job.check()?;
        let heights = relief.heights(row).iter().enumerate();
        painted.extend(heights.map(|(column, height)| {
            let color = gradient.color(*height);
            let color = colors.covers.map_or(color, |covers| {
                let [east, south] = relief.place(row, column);
                covers.over(color, east, south)
            });
            color.map(|c| (c + 0.5) as u8)
        }));
    }
    Ok(painted)
}
