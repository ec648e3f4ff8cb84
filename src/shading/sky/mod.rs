//! Physically based sky: single and multiple atmospheric scattering by ray marching, from noon to night.
//!
//! **The model.** Light from the sun is scattered by air (Rayleigh) and by haze (Mie) and absorbed by
//! ozone, in spherical shells around the Earth. Single scattering is integrated along rays (Nishita et al.
//! 1993); multiple scattering is added as a geometric series of isotropic light (Hillaire 2020).
//! Coefficients are those of Bruneton and Neyret (2008) with the ozone of Bruneton (2017). The analytic
//! skies of Preetham (1999) and of Hosek and Wilkie (2012) are not used: both end with the sun at the
//! horizon, but landscapes are photographed at dawn, at dusk and in moonlight. Ray marching also gives the
//! colours of the sun and of the haze from the same numbers.
//!
//! **Units.** A light of 1 is the reflection of a white sheet outside the atmosphere that faces the sun.
//! Sunlight there is (1, 1, 1), linear, with the primaries of sRGB. So diffuse ground of colour `albedo`
//! shows `albedo * (sun_light * max(dot(normal, sun), 0) + ambient(normal))`, without any pi.
//!
//! **Modules.** [`air`] is the atmosphere, [`Dome`] is the sky over one place, and [`Exposed`] is that sky
//! with camera exposure. [`CloudPlane`] is the cloud layer, and [`tone`] maps light to the screen.

pub mod air;
mod clouds;
mod dome;
mod exposure;
pub mod tone;

pub use clouds::{CloudPlane, Clouds};
pub use dome::{AZIMUTHS, Dome, ELEVATIONS, SUN_RADIUS};
pub use exposure::Exposed;
