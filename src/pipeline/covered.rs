//! Stages of the ground covers of one eroded map.

use std::sync::Arc;

use super::making::{Making, StageDone};
use super::stage::Stage;
use crate::generate::GenerateError;
use crate::shading::covers::{CoverMap, Wetness, lie_on, needs_wetness, wetness};
use crate::shading::texture::{Cover, Palette};
use crate::terrain::heightmap::Heightmap;
use crate::util::identity::Identity;

/// Stages of the ground covers of one map.
#[derive(Debug, Default)]
pub struct Covered {
    wetness: Stage<Identity<Heightmap>, Wetness>,
    covers: Stage<(Identity<Heightmap>, Vec<Cover>), CoverMap>,
}

impl Covered {
    /// Covers of `palette` on `map`; `None` without covers.
    pub fn get(
        &mut self,
        making: &mut Making<'_>,
        map: &Arc<Heightmap>,
        palette: &Palette,
    ) -> Result<Option<Arc<CoverMap>>, GenerateError> {
        let covers = palette.covers_of(making.scene.material.covers);
        if !lie_on(map, &covers) {
            return Ok(None);
        }
        let wetness_of = &mut self.wetness;
        let made = self
            .covers
            .get((Identity::of(map), covers), |(_, covers), _| {
                let wet = if needs_wetness(covers) {
                    Some(wetness_of.get(Identity::of(map), |_, _| wetness(map, &making.job))?)
                } else {
                    None
                };
                let made = CoverMap::of(map, covers, wet.as_deref(), &making.job)?;
                making.done(StageDone::Covers);
                Ok::<_, GenerateError>(made)
            })?;
        Ok(Some(made))
    }
}
