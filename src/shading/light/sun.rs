//! Sun visibility: soft shadows of the terrain by one horizon sweep.

use super::field::{Field, turned};
use super::kernel::{SUN, Slopes, disc};
use super::sweep::{Course, sweep};
use super::{Grid, Visibility};
use crate::scene::{Light, angle_from_east};
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};

/// Radius of the sun in degrees, for the softness of shadows. The real one is 0.27, whose edges would look
/// hard at the size of a landscape; thin haze around the sun softens them anyway.
pub const SUN_RADIUS: f32 = 0.8;

/// Steepest light in degrees, since a slope must be finite.
const STEEPEST: f32 = 89.9;

/// Position of the sun.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sun {
    /// Compass bearing of the sun in degrees: 0 is north (−z), 90 east (+x).
    pub bearing: f32,
    /// Elevation of the sun's centre in degrees; negative below the horizon.
    pub elevation: f32,
}

impl From<&Light> for Sun {
    fn from(light: &Light) -> Self {
        let (bearing, elevation) = light.angles();
        Self { bearing, elevation }
    }
}

/// Compute the sun visibility of each sample of `map`, without self-shading by the ground's own slope: 255
/// for all, 0 for nothing, and in between where the disc, with the radius [`SUN_RADIUS`], is partly behind
/// a ridge.
///
/// A map that wraps casts shadows across its borders, as often as the light needs; any other map ends at
/// its border. Edges are soft over about a sample even right behind their casters. If the map is larger
/// than `most` samples a side, every second, fourth … is used. Cost: O(samples), however long the shadows
/// are; about 3 ms for 1025² on two threads.
///
/// # Errors
/// The job was cancelled.
pub fn sun_visibility(
    map: &Heightmap,
    sun: Sun,
    most: usize,
    job: &Job,
) -> Result<Visibility, Cancelled> {
    let field = Field::new(map, most, job)?;
    let span = field.span;
    let risen = disc((sun.elevation + SUN_RADIUS) / (2.0 * SUN_RADIUS)) * 255.0;
    let shape = (field.rows, field.columns);
    if risen <= 0.0 || field.rows == 1 || field.columns == 1 {
        let values = Grid::filled(shape.0, shape.1, (risen + 0.5) as u8);
        return Ok(Visibility { values, span });
    }
    let angle = f64::from(angle_from_east(sun.bearing)).to_radians();
    let (east, south) = (libm::cos(angle), libm::sin(angle));
    let along_rows = east.abs() > south.abs();
    let (towards, aside) = if along_rows {
        (east, south)
    } else {
        (south, east)
    };
    let field = if along_rows {
        field.turned(job)?
    } else {
        field
    };
    // The sweep starts on the side of the sun, so it runs backwards if the sun is behind the last row.
    let course = Course::new(&field, -aside / towards.abs(), towards > 0.0);
    let slope = |elevation: f32| {
        let elevation = f64::from(elevation.clamp(0.0, STEEPEST));
        libm::tan(elevation.to_radians())
    };
    let edges = [-SUN_RADIUS, SUN_RADIUS].map(|radius| slope(sun.elevation + radius));
    let step = f64::from(field.spacing) * course.step();
    let slopes = Slopes {
        drops: edges.map(|slope| (slope * step) as f32),
        weights: [1.0, 0.0],
        // About a sample: on flat ground across a shadow's edge, on steep ground along it.
        softness: field.spacing * (0.25 + 0.5 * slope(sun.elevation).min(2.0) as f32),
    };
    let mut values = vec![0; field.rows * field.columns];
    sweep(&field, course, (&SUN, slopes, risen), &mut values, job)?;
    if along_rows {
        values = turned(&values, field.columns, field.rows, field.columns, job)?;
    }
    let values = Grid::from_vec(shape.0, shape.1, values).unwrap_or(Grid::filled(0, 0, 0));
    Ok(Visibility { values, span })
}
