//! Light of the ground: how much of sky and sun each place of its surface sees, with its water, its snow and its crowns.

use std::borrow::Cow;
use std::sync::Arc;

use super::stage::{Making, Stage, StageDone};
use crate::generate::GenerateError;
use crate::plants::CanopyMap;
use crate::scene::RenderType;
use crate::shading::light::{MOST_SKY, MOST_SUN, Sun, Visibility, sky_visibility, sun_visibility};
use crate::terrain::heightmap::Heightmap;
use crate::util::identity::Identity;

/// Water level for the light, and true if there are neighbouring tiles.
pub type Flood = Option<(f32, bool)>;

/// Stages of the light.
#[derive(Debug, Default)]
pub struct LightStages {
    raised: Stage<(Identity<Heightmap>, Identity<CanopyMap>), Heightmap>,
    sky: Stage<LitBy, Visibility>,
    sun: Stage<(LitBy, Sun), Visibility>,
}

/// Visibilities of a ground, where the scene shows them.
#[derive(Default)]
pub struct GroundLight {
    pub sky: Option<Arc<Visibility>>,
    pub sun: Option<Arc<Visibility>>,
}

/// Key of the surface that receives light: the bare ground, that with its water and snow, the canopy on it, and the sea.
#[derive(Debug, PartialEq)]
struct LitBy {
    ground: Identity<Heightmap>,
    surface: Identity<Heightmap>,
    canopy: Option<Identity<CanopyMap>>,
    flood: Flood,
}

impl LitBy {
    /// True if only water, snow and plants on the ground differ.
    fn is_on_ground_of(&self, other: &Self) -> bool {
        self.ground == other.ground && self.flood == other.flood
    }
}

impl LightStages {
    /// Light of the surface of a ground with its canopy, flooded by the sea.
    pub fn get(
        &mut self,
        making: &mut Making<'_>,
        (ground, surface): (&Arc<Heightmap>, &Arc<Heightmap>),
        canopy: Option<&Arc<CanopyMap>>,
        flood: Flood,
    ) -> Result<GroundLight, GenerateError> {
        let light = &making.scene.light;
        let is_shown =
            making.draws(&[RenderType::Landscape, RenderType::Triangles]) && !surface.is_profile();
        let has_sky = is_shown && light.occlusion;
        let has_sun = is_shown && light.shadows;
        let key = || LitBy {
            ground: Identity::of(ground),
            surface: Identity::of(surface),
            canopy: canopy.map(Identity::of),
            flood,
        };
        let sun = Sun::from(light);
        if making.is_preview {
            // Light takes longer than snow and the canopy, and changes little with them.
            let sky = self.sky.last(|last| last.is_on_ground_of(&key()));
            let sun = self
                .sun
                .last(|(last, by)| *by == sun && last.is_on_ground_of(&key()));
            if sky.is_some() >= has_sky && sun.is_some() >= has_sun {
                return Ok(GroundLight {
                    sky: sky.filter(|_| has_sky),
                    sun: sun.filter(|_| has_sun),
                });
            }
        }
        let raised = match canopy.filter(|_| has_sky || has_sun) {
            Some(canopy) => {
                let key = (Identity::of(surface), Identity::of(canopy));
                let make = |_: &_, _| canopy.raised(surface, &making.job);
                Some(self.raised.get(key, make)?)
            }
            None => {
                self.raised = Stage::default();
                None
            }
        };
        let surface = raised.as_ref().unwrap_or(surface);
        let lit = || match flood {
            Some((level, neighbours)) => Cow::Owned(surface.flooded(level, neighbours)),
            None => Cow::Borrowed(&**surface),
        };
        let sky = self.sky.get_if(has_sky, key(), |_, _| {
            let visibility = sky_visibility(&lit(), MOST_SKY, &making.job)?;
            making.done(StageDone::Sky);
            Ok::<_, GenerateError>(visibility)
        })?;
        let sun = self.sun.get_if(has_sun, (key(), sun), |_, _| {
            let visibility = sun_visibility(&lit(), sun, MOST_SUN, &making.job)?;
            making.done(StageDone::Sun);
            Ok::<_, GenerateError>(visibility)
        })?;
        Ok(GroundLight { sky, sun })
    }
}
