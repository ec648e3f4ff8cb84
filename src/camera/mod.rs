//! Camera motion: collision with the ground, smoothing independent of the frame rate, and key frame paths.
//!
//! [`Ground`] is the heightfield under the cameras, [`Steering`] moves a camera by user input, [`Path`]
//! interpolates key frames. Positions are in half tiles, times in seconds.

pub mod film;
mod ground;
mod path;
mod sight;
mod steering;

pub use ground::{CLEARANCE, Ground, above_ground, eye_height};
pub use path::{Path, between};
pub use sight::{
    InView, MOST_IN_VIEW, Spot, direction_seen, in_view, place_seen, seen_at, width_seen,
};
pub use steering::{Steering, Wish};
