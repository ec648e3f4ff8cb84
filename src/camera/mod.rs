//! Camera motion: collision with the ground, smoothing independent of the frame rate, and key frame paths.
//!
//! [`Ground`] is the heightfield under the cameras, [`Steering`] moves a camera by user input, [`Path`]
//! interpolates key frames. Positions are in half tiles, times in seconds.

mod damped;
mod eye;
pub mod film;
mod ground;
mod in_view;
mod look;
mod orbit;
mod path;
mod sight;
mod spot;
mod steering;

pub use eye::{CLEARANCE, eye_height};
pub use ground::Ground;
pub use in_view::{InView, MOST_IN_VIEW, in_view};
pub use orbit::above_ground;
pub use path::{Path, between};
pub use sight::{direction_seen, place_seen, seen_at, width_seen};
pub use spot::Spot;
pub use steering::{Steering, Wish};
