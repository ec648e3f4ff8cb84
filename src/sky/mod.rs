//! The sky of a clear day, from noon to night: the sun's light as the air changes it.
//!
//! **The model.** Light from the sun is scattered by air (Rayleigh) and by haze (Mie) and absorbed
//! by ozone, in shells around a round Earth. Rays are marched through the shells and the first
//! scattering is added up (Nishita et al. 1993); all later ones are added as a geometric series of
//! light that comes from everywhere (Hillaire 2020). Coefficients are those of Bruneton and Neyret
//! (2008) with the ozone of Bruneton (2017). The analytic skies of Preetham (1999) and of Hosek and
//! Wilkie (2012) were not taken: both end where the sun meets the horizon, but landscapes are
//! photographed at dawn, at dusk and in moonlight. A march also gives the colours of the sun and of
//! the haze from the same numbers.
//!
//! **Units.** A light of 1 is what a white sheet outside the air sends back if it faces the sun.
//! Sunlight there is (1, 1, 1), linear, with the primaries of sRGB. So matt ground of colour
//! `albedo` shows `albedo * (sun_light * max(dot(normal, sun), 0) + ambient(normal))`, without any
//! pi.
//!
//! **In order.** [`air`] is the matter that light meets on its way, [`Dome`] is the sky over one
//! place, and [`Exposed`] is that sky as a camera exposes it. [`CloudPlane`] lies above, and
//! [`tone`] brings all light to the screen.

pub mod air;
mod clouds;
mod dome;
mod exposure;
pub mod tone;

pub use clouds::{CloudPlane, Clouds};
pub use dome::{AZIMUTHS, Dome, ELEVATIONS, SUN_RADIUS};
pub use exposure::Exposed;
