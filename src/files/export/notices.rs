//! Notices for the user about an export.

use super::engines::{ENGINES, Engine};
use super::excerpt::check_finite;
use super::format::Format;
use super::location::Location;
use super::options::Options;
use super::resolution::Resolution;
use crate::pipeline;
use crate::pipeline::inputs::Inputs;
use crate::scene::Scene;
use crate::terrain::geo::parse_crs;
use crate::util::language::tr;

/// Notice that the range of the whole map must be searched first, which takes seconds to hours.
#[must_use]
pub fn notice_of_search(scene: &Scene, formats: &[&Format], options: &Options) -> Option<String> {
    /// Iterations up to which the search is too short for a notice.
    const MOMENT: u32 = 14;
    let ground = pipeline::surface_of(scene);
    let is_map = !formats.iter().any(|format| format.is_mesh());
    let needs_range = formats.iter().any(|f| options.span.needs_range(f.levels));
    let level = ground.iterations.saturating_add(options.levels);
    let is_fine = pipeline::goes_on_as_itself(scene) || options.levels > 0;
    if !is_map || !needs_range || !is_fine || level <= MOMENT {
        return None;
    }
    let side = (1_usize << level.min(63)) + 1;
    check_finite(Location::whole(side, side)).ok()?;
    Some(tr!(
        "looking for the lowest and the highest of all {side} × {side} samples first; --range \
         LOW,HIGH does without",
        side
    ))
}

/// Notice that the size fits an engine but the shape does not: all engines with preferred sizes take
/// square heightfields.
#[must_use]
pub fn notice_of_size(samples: Resolution, [rows, columns]: [usize; 2]) -> Option<String> {
    let is_it = |engine: &&Engine| engine.samples != Resolution::AsIs && engine.samples == samples;
    let engine = ENGINES.iter().find(is_it).filter(|_| rows != columns)?;
    Some(tr!(
        "{columns} × {rows} samples keep the map's shape, but {} takes squares: cut one with \
         --region, or several with --tiles",
        engine.name,
        columns,
        rows
    ))
}

/// Notice that coordinates are not converted, if the system differs from that of the input and no origin
/// is given.
#[must_use]
pub fn notice_of_place(scene: &Scene, inputs: &Inputs) -> Option<String> {
    let surface = pipeline::surface_of(scene);
    let known = inputs.images.of(&surface).ok()?.place.as_ref();
    let known = known.filter(|_| surface.takes_image())?;
    let code = parse_crs(&scene.surface.crs).ok().flatten()?;
    let has_origin = !scene.surface.origin.is_empty();
    if has_origin || known.keys.epsg() == Some(code) {
        return None;
    }
    let is_same = super::earth::system_of(code).is_ok_and(|(_, unit, _)| unit == known.unit);
    Some(if is_same {
        tr!(
            "coordinates are not converted: those of the input are written as they are, as \
             EPSG:{code}",
            code
        )
    } else {
        tr!(
            "coordinates are not converted: without --origin the map lies at 0, 0 of EPSG:{code}",
            code
        )
    })
}
