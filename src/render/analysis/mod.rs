//! Terrain analysis display: slope and aspect colours, contours with labels, the cross-section, the legend,
//! and the scale bar.
//!
//! In plan view, contours are line strips built on the CPU for the picture's size, so that they have an even
//! width and leave gaps for labels. In perspective the fragment shader draws them.

mod analyst;
mod canvas;
mod contours;
mod desk;
mod legend;
mod overlay;
mod rises;
mod scale;
mod scale_bar;
mod section;
mod sprites;
mod strips;
mod wanted;

pub(super) use analyst::Analyst;
pub(super) use scale::line_width;
pub(super) use wanted::{marks_ground, recolors};
