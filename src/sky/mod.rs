//! The sky of a clear day, from noon to night: what the air makes of the sun's light.
//!
//! **The model.** Light from the sun is scattered by air (Rayleigh) and by haze (Mie) and absorbed
//! by ozone, in shells around a round Earth. Rays are marched through the shells and the first
//! scattering is added up (Nishita et al. 1993); all later ones are added as a geometric series of
//! light that comes from everywhere (Hillaire 2020). Coefficients are those of Bruneton and Neyret
//! (2008) with the ozone of Bruneton (2017). The analytic skies of Preetham (1999) and of Hosek and
//! Wilkie (2012) were not taken: both end where the sun meets the horizon, and dawn, dusk and the
//! moon's night are what landscapes are photographed in. A march also gives the sun's own colour
//! and the haze's from the same numbers.
//!
//! **Units.** One is what a white sheet sends back that faces the sun outside the air; sunlight
//! there is (1, 1, 1), linear, with sRGB's primaries. So a matt ground of colour `albedo` shows
//! `albedo * (sun_light * max(dot(normal, sun), 0) + ambient(normal))`, without any pi.
//!
//! **In order.** [`air`] is what light meets on its way, [`Dome`] the sky over one place, of which
//! [`Exposed`] is what a camera makes; [`CloudPlane`] lies above, and [`tone`] brings all to the screen.

pub mod air;
mod clouds;
mod dome;
mod exposure;
pub mod tone;

pub use clouds::{CloudPlane, Clouds};
pub use dome::{AZIMUTHS, Dome, ELEVATIONS, SUN_RADIUS};
pub use exposure::Exposed;
