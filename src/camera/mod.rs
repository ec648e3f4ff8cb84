//! How cameras move: over the ground and never under it, smoothly, and in the same way however many
//! pictures a second are drawn.
//!
//! [`Ground`] says how high the ground is, [`Steering`] moves a camera as hands ask for, [`Path`]
//! is the way through key frames. Positions are in half tiles, times in seconds.

mod damped;
mod eye;
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
