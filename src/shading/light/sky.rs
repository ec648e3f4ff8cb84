//! Ambient occlusion: sky visibility of each sample by horizon sweeps in 16 directions.

use super::field::{Field, turned};
use super::kernel::{SKY, Slopes};
use super::sweep::{Course, sweep};
use super::{Grid, Visibility};
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::parallel;

/// Elevations in degrees of the slopes that bracket the horizon. A horizon below the first hides under 0.4 %
/// of the light.
const ELEVATIONS: [f64; 6] = [3.5, 10.0, 18.0, 28.0, 41.0, 58.0];

/// Shift in columns from row to row of lines along rows, and in rows of lines along columns. Swept from both
/// sides they give 16 directions, 22.5° apart. Diagonals count as lines along rows.
const ALONG_ROWS: &[f64] = &[-1.0, -TAN_22_5, 0.0, TAN_22_5, 1.0];
const ALONG_COLUMNS: &[f64] = &[-TAN_22_5, 0.0, TAN_22_5];
const TAN_22_5: f64 = std::f64::consts::SQRT_2 - 1.0;
/// Number of directions.
const DIRECTIONS: u32 = 16;
/// Value for all of the light from one direction: 16 of them fit into 16 bits.
const WHOLE: f32 = 4095.0;
/// Number of samples per parallel task.
const PART: usize = 1 << 14;

/// Compute the sky visibility (ambient occlusion) of each sample of `map`, weighted for the illumination of
/// level ground: the mean over 16 directions of cos² of the horizon's elevation, with 255 for all and 0 for
/// nothing. On an isolated slope of angle β this is (1 + cos β) / 2.
///
/// On a map that wraps, land across the border occludes the sky, too; any other map ends at its border. If
/// the map is larger than `most` samples a side, every second, fourth … is used. Cost: O(samples), about 25
/// ms for 1025² on two threads. The result does not depend on the sun.
///
/// # Errors
/// The job was cancelled.
pub fn sky_visibility(map: &Heightmap, most: usize, job: &Job) -> Result<Visibility, Cancelled> {
    let field = Field::new(map, most, job)?;
    let (span, rows, columns) = (field.span, field.rows, field.columns);
    if rows == 1 || columns == 1 {
        let values = Grid::filled(rows, columns, 255);
        return Ok(Visibility { values, span });
    }
    let turned_field = field.turned(job)?;
    let other = seen(&turned_field, ALONG_COLUMNS, job)?;
    drop(turned_field);
    let other = turned(&other, rows, columns, rows, job)?;
    let sums = seen(&field, ALONG_ROWS, job)?;
    let scale = 255.0 / (DIRECTIONS as f32 * WHOLE);
    let mut values = Grid::filled(rows, columns, 0);
    let parts = values.as_mut_slice().chunks_mut(PART);
    let parts = parts.zip(sums.chunks(PART)).zip(other.chunks(PART));
    parallel::par_items(parts).for_each(|_, ((values, sums), other)| {
        for (value, (a, b)) in values.iter_mut().zip(sums.iter().zip(other)) {
            *value = (f32::from(a + b) * scale + 0.5) as u8;
        }
    });
    Ok(Visibility { values, span })
}

/// Sum of the light from both ends of each course.
fn seen(field: &Field<'_>, courses: &[f64], job: &Job) -> Result<Vec<u16>, Cancelled> {
    let mut seen = vec![0; field.rows * field.columns];
    for across in courses {
        for backwards in [false, true] {
            let course = Course::new(field, *across, backwards);
            // Integers, so the sum does not depend on the order.
            let light = (&SKY, slopes(field, &course), WHOLE);
            sweep(field, course, light, &mut seen, job)?;
        }
    }
    Ok(seen)
}

/// Slopes of the sweep, and the share of the light between them: the share above elevation e is cos² e.
fn slopes(field: &Field<'_>, course: &Course) -> Slopes<6> {
    let step = f64::from(field.spacing) * course.step();
    let above = ELEVATIONS.map(|elevation| libm::pow(libm::cos(elevation.to_radians()), 2.0));
    let drops = ELEVATIONS.map(|elevation| (libm::tan(elevation.to_radians()) * step) as f32);
    Slopes {
        drops,
        weights: std::array::from_fn(|k| {
            (above[k] - above.get(k + 1).copied().unwrap_or(0.0)) as f32
        }),
        softness: field.spacing * 0.01,
    }
}
