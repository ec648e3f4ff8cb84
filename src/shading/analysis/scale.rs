//! Resampling of a map to the resolution of a picture: detail smaller than a pixel is averaged (tent
//! filter).

use crate::terrain::heightmap::Heightmap;
use crate::util::parallel;

/// Resample a map to `cells` cells along each side, at least one. Where that is finer, heights are
/// bilinear; where it is coarser, each is a mean with weights that fall linearly to 0 at the next sample.
/// Borders stay in place, and the result wraps if the map did. Cost: a pass over the larger of the two
/// maps.
#[must_use]
pub fn at_scale(map: &Heightmap, cells: [usize; 2]) -> Heightmap {
    let across = Axis::new(map.columns(), cells[0].max(1), map.wraps());
    let down = Axis::new(map.rows(), cells[1].max(1), map.wraps());
    let (rows, columns) = (down.places.len(), across.places.len());
    let mut narrow = vec![0.0f32; map.rows() * columns];
    parallel::par_items(narrow.chunks_mut(columns)).for_each(|row, out| {
        let row = map.row(row);
        for (out, place) in out.iter_mut().zip(&across.places) {
            *out = place.mean(|index| row[index]);
        }
    });
    let mut heights = vec![0.0f32; rows * columns];
    let lines = heights.chunks_mut(columns).zip(&down.places);
    parallel::par_items(lines).for_each(|_, (out, place)| {
        for (column, out) in out.iter_mut().enumerate() {
            *out = place.mean(|index| narrow[index * columns + column]);
        }
    });
    Heightmap::new(rows, columns, map.wraps(), heights)
}

/// Filter weights along one side, for each new sample.
struct Axis {
    places: Vec<Mean>,
}

struct Mean {
    samples: Vec<(usize, f32)>,
}

impl Mean {
    fn mean(&self, height: impl Fn(usize) -> f32) -> f32 {
        let parts = self.samples.iter();
        parts.map(|(index, weight)| height(*index) * weight).sum()
    }
}

impl Axis {
    fn new(samples: usize, over: usize, wraps: bool) -> Self {
        let cells = samples - 1;
        let reach = (cells as f64 / over as f64).max(1.0);
        let place = |index: usize| {
            // On a map that wraps the last sample equals the first, bit for bit.
            let index = if wraps && index == over { 0 } else { index };
            let at = index as f64 * cells as f64 / over as f64;
            let (from, to) = ((at - reach).ceil() as i64, (at + reach).floor() as i64);
            let weight = |sample: i64| 1.0 - (sample as f64 - at).abs() / reach;
            let inside = |sample: i64| {
                if wraps && cells > 0 {
                    Some(sample.rem_euclid(cells as i64) as usize)
                } else {
                    // At a free border the filter is cut symmetrically, so that the border stays in place.
                    let mirrored = 2.0 * at - sample as f64;
                    let range = 0.0..=cells as f64;
                    let even = reach == 1.0 || range.contains(&mirrored.round());
                    (range.contains(&(sample as f64)) && even).then_some(sample as usize)
                }
            };
            let mut parts: Vec<(usize, f64)> = (from..=to)
                .filter_map(|sample| Some((inside(sample)?, weight(sample))))
                .filter(|(_, weight)| *weight > 0.0)
                .collect();
            if parts.is_empty() {
                parts.push(((at.round() as usize).min(cells), 1.0));
            }
            let sum: f64 = parts.iter().map(|part| part.1).sum();
            Mean {
                samples: parts
                    .into_iter()
                    .map(|(index, weight)| (index, (weight / sum) as f32))
                    .collect(),
            }
        };
        Self {
            places: (0..=over).map(place).collect(),
        }
    }
}
