//! What the ground is examined for: colours by slope and aspect, contours with their labels, the
//! cross-section, the legend; and the scale bar, which any picture of the ground may have.
//!
//! Seen flat, contours are lines made on the CPU for the size of the picture, so that they are
//! of even width and leave room for their labels. In space the fragment shader draws them.

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
