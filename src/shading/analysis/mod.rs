//! Terrain analysis for display: contours and their labels, colours by slope and aspect, cross-section
//! profiles, distance to a region's edge, scale bars.

use std::fmt;

use crate::scene::Section;
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::numbers::{fixed, metres_per_unit, mix_colors};
use crate::util::parallel;

mod contours;

pub use contours::{
    Contour, HEAVY, LabelPlace, Line, MOST_CONTOURS, contours, count_segments, is_heavy, next_step,
    place_labels, round_step, spacing,
};

/// Maximum samples a side of the map for contours and cross-sections.
const MOST_SIDE: usize = 2049;

/// Map for contours and cross-sections: every sample of `map`, or every second, fourth … so that no side
/// has more than 2049. For a fractal of 2^n cells this is the map with fewer iterations, bit for bit.
/// Memory: up to 16 MB.
#[must_use]
pub fn relief(map: &Heightmap) -> Heightmap {
    map.thinned(MOST_SIDE)
}

// Colour maps for slope and aspect, in sRGB.

/// Slope of the last colour, in degrees: vertical.
pub const STEEPEST: f32 = 90.0;

/// Colour of level ground, which has no aspect; sRGB, 0…1.
pub const LEVEL: [f32; 3] = [0.66, 0.66, 0.66];

/// Colour stops by slope in degrees. Each colour is darker than the one before, so that they differ in
/// black and white print too. Most colours are for gentle slopes; the rest is for cliffs, which are
/// common in fractals.
const SLOPES: [(f32, [f32; 3]); 9] = [
    (0.0, [0.976, 0.965, 0.886]),
    (10.0, [0.976, 0.890, 0.620]),
    (20.0, [0.965, 0.757, 0.400]),
    (30.0, [0.933, 0.584, 0.310]),
    (40.0, [0.855, 0.408, 0.290]),
    (50.0, [0.725, 0.255, 0.333]),
    (60.0, [0.545, 0.161, 0.388]),
    (75.0, [0.290, 0.106, 0.400]),
    (90.0, [0.063, 0.047, 0.180]),
];

/// Colours of ground that falls to the north, north-east … north-west, in sRGB, 0…1. The hue shows the
/// direction, and the brightness is that of light from the north-west, so that the picture also reads as
/// a relief (after Moellering and Kimerling 1990).
pub const ASPECT_COLORS: [[f32; 3]; 8] = [
    [0.565, 0.784, 0.357],
    [0.239, 0.667, 0.443],
    [0.231, 0.478, 0.706],
    [0.427, 0.306, 0.620],
    [0.722, 0.290, 0.573],
    [0.894, 0.416, 0.427],
    [0.945, 0.639, 0.373],
    [0.914, 0.863, 0.412],
];

/// Colour of a slope in degrees, 0…90; sRGB, 0…1.
#[must_use]
pub fn slope_color(degrees: f32) -> [f32; 3] {
    let after = SLOPES.partition_point(|stop| stop.0 <= degrees);
    let after = after.clamp(1, SLOPES.len() - 1);
    let ((low, a), (high, b)) = (SLOPES[after - 1], SLOPES[after]);
    mix_colors(a, b, ((degrees - low) / (high - low)).clamp(0.0, 1.0))
}

/// Colour of an aspect in degrees clockwise from north; sRGB, 0…1.
#[must_use]
pub fn aspect_color(degrees: f32) -> [f32; 3] {
    let count = ASPECT_COLORS.len();
    let at = degrees.rem_euclid(360.0) / 360.0 * count as f32;
    let before = at as usize;
    let [a, b] = [before, before + 1].map(|index| ASPECT_COLORS[index % count]);
    mix_colors(a, b, at - before as f32)
}

// Elevation profile along a straight cross-section.

/// Maximum and minimum number of points of a profile.
pub const MOST_POINTS: usize = 2001;
const FEWEST_POINTS: usize = 257;

/// A point of a profile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Horizontal distance from A, in metres.
    pub distance_m: f64,
    /// Height, in metres.
    pub height_m: f64,
    /// Position x, z, in the unit of the section's ends.
    pub place: [f32; 2],
}

/// Elevation profile along a cross-section.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// Points from A to B, evenly spaced: 257 to 2001 points.
    pub points: Vec<Point>,
    /// Horizontal distance from A to B, in metres.
    pub length_m: f64,
    /// Lowest height, in metres.
    pub lowest_m: f64,
    /// Highest height, in metres.
    pub highest_m: f64,
    /// Slope of the steepest segment, without sign: rise over distance; 1 is 45°.
    pub steepest: f64,
    /// Total ascent from A to B, in metres.
    pub ascent_m: f64,
    /// Total descent from A to B, in metres.
    pub descent_m: f64,
}

impl Profile {
    /// Point at `distance_m` metres from A, interpolated linearly.
    #[must_use]
    pub fn at(&self, distance_m: f64) -> Point {
        let last = self.points.len() - 1;
        let step = self.length_m / last as f64;
        let at = (distance_m / step).clamp(0.0, last as f64);
        let before = (at as usize).min(last - 1);
        let t = at - before as f64;
        let (a, b) = (self.points[before], self.points[before + 1]);
        let mix = |a: f64, b: f64| a + (b - a) * t;
        Point {
            distance_m: mix(a.distance_m, b.distance_m),
            height_m: mix(a.height_m, b.height_m),
            place: [0, 1].map(|i| mix(a.place[i].into(), b.place[i].into()) as f32),
        }
    }

    /// Profile as CSV for spreadsheets: a heading, then a line for each point with distance and height in
    /// metres, x and z.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let mut text = String::from("distance_m,height_m,x,z\n");
        for point in &self.points {
            let [x, z] = point.place;
            let line = format!(
                "{},{},{},{}\n",
                fixed(point.distance_m, 3),
                fixed(point.height_m, 3),
                fixed(x, 6),
                fixed(z, 6)
            );
            text += &line;
        }
        text
    }
}

/// Sample the profile of `map` along `section`, clipped to `tiles` × `tiles` tiles of `tile_size_m`
/// metres along the longer side. Heights are bilinear, with two points for each sample passed. `None` if
/// the line misses all tiles, and for a map that is itself a profile.
#[must_use]
pub fn profile(
    map: &Heightmap,
    section: &Section,
    tiles: u32,
    tile_size_m: f32,
) -> Option<Profile> {
    if map.rows() < 2 || map.columns() < 2 {
        return None;
    }
    let side = [map.columns(), map.rows()].map(|count| (count - 1) as f32 * map.spacing());
    let section = section.within(tiles, side)?;
    let step = [0, 1].map(|i| f64::from(section.to[i]) - f64::from(section.from[i]));
    let length = step[0].hypot(step[1]);
    let metres = metres_per_unit(tile_size_m);
    let wanted = (2.0 * length / f64::from(map.spacing())).ceil() as usize;
    let last = wanted.clamp(FEWEST_POINTS - 1, MOST_POINTS - 1);
    let point = |index: usize| {
        let t = index as f64 / last as f64;
        let place = [0, 1].map(|i| (f64::from(section.from[i]) + step[i] * t) as f32);
        Point {
            distance_m: length * metres * t,
            height_m: f64::from(height(map, place, tiles, side)) * metres,
            place,
        }
    };
    let points: Vec<Point> = (0..=last).map(point).collect();
    let heights = points.iter().map(|point| point.height_m);
    let rises = points.windows(2).map(|p| p[1].height_m - p[0].height_m);
    let steepest = rises
        .clone()
        .fold(0.0, |most: f64, rise| most.max(rise.abs()));
    Some(Profile {
        length_m: length * metres,
        lowest_m: heights.clone().fold(f64::INFINITY, f64::min),
        highest_m: heights.fold(f64::NEG_INFINITY, f64::max),
        steepest: steepest / (length * metres / last as f64),
        ascent_m: rises.clone().map(|rise| rise.max(0.0)).sum(),
        descent_m: rises.map(|rise| (-rise).max(0.0)).sum(),
        points,
    })
}

/// Height at a position in half tiles from the middle of the first tile.
fn height(map: &Heightmap, place: [f32; 2], tiles: u32, side: [f32; 2]) -> f32 {
    let local = [0, 1].map(|i: usize| {
        let last = tiles as f32 - 1.0;
        let tile = (place[i] / side[i] + 0.5).floor().clamp(0.0, last);
        place[i] - tile * side[i]
    });
    map.height_at(local[0], local[1])
}

// Signed distance to the edge of a region of a grid: exact Euclidean distances up to a limit, separable
// by rows and columns (cf. Felzenszwalb and Huttenlocher 2012).

/// Maximum distance, in cells; larger ones are clamped.
pub const FARTHEST: usize = 15;
/// Steps of the result per cell of distance.
const STEPS: f32 = 8.0;
/// Value of the edge itself.
const EDGE: f32 = 128.0;

/// Signed distances from cell centres to the edge of the region of cells with `belongs`, encoded as 128
/// plus 8 per cell inwards, minus 8 per cell outwards, up to [`FARTHEST`] cells. The edge runs between
/// cells, so cells inside are above 128 and all others below. If the grid `wraps`, cells of opposite
/// borders are neighbours; else the border is no edge.
///
/// Distances are exact: first along rows, then along columns. Cost: 30 ns a cell and thread; runs in
/// parallel.
///
/// # Errors
/// The job was cancelled.
pub fn edge_distances(belongs: &Grid<bool>, wraps: bool, job: &Job) -> Result<Grid<u8>, Cancelled> {
    let (rows, columns) = (belongs.rows(), belongs.columns());
    let mut distances = Grid::filled(rows, columns, EDGE as u8);
    if rows == 0 || columns == 0 {
        return Ok(distances);
    }
    // Squared distance to the nearest cell of the other kind in the same row; the maximum if out of reach.
    let mut along = Grid::filled(rows, columns, u16::MAX);
    let lines = parallel::par_items(along.as_mut_slice().chunks_mut(columns));
    lines.at_least(8).for_each(|row, along| {
        squares_of_row(belongs.row(row), wraps, along);
    });
    let lines = parallel::par_items(distances.as_mut_slice().chunks_mut(columns));
    lines.at_least(8).for_each_in(job, |row, out| {
        let mut squares = along.row(row).to_vec();
        let own = belongs.row(row);
        for away in 1..=FARTHEST + 1 {
            let square = (away * away) as u16;
            for other in beside(row, away, rows, wraps).into_iter().flatten() {
                let there = belongs.row(other).iter().zip(along.row(other));
                for ((least, own), (other, along)) in squares.iter_mut().zip(own).zip(there) {
                    let along = if own == other { *along } else { 0 };
                    *least = (*least).min(along.saturating_add(square));
                }
            }
        }
        for ((out, square), own) in out.iter_mut().zip(squares).zip(own) {
            let distance = (f32::from(square).sqrt() - 0.5).min(FARTHEST as f32);
            let sign = if *own { 1.0 } else { -1.0 };
            *out = (EDGE + sign * distance * STEPS).round() as u8;
        }
    })?;
    Ok(distances)
}

/// Squared distances to the nearest cell of the other kind along a row.
fn squares_of_row(belongs: &[bool], wraps: bool, squares: &mut [u16]) {
    let count = belongs.len();
    for (column, square) in squares.iter_mut().enumerate() {
        let differs = |away: &usize| {
            let mut both = beside(column, *away, count, wraps).into_iter().flatten();
            both.any(|other| belongs[other] != belongs[column])
        };
        if let Some(away) = (1..=FARTHEST + 1).find(differs) {
            *square = (away * away) as u16;
        }
    }
}

/// Indices at this distance before and after an index.
fn beside(index: usize, away: usize, count: usize, wraps: bool) -> [Option<usize>; 2] {
    if wraps {
        let away = away % count;
        [(index + count - away) % count, (index + away) % count].map(Some)
    } else {
        let after = Some(index + away).filter(|after| *after < count);
        [index.checked_sub(away), after]
    }
}

// Resampling of a map to the resolution of a picture: detail smaller than a pixel is averaged (tent
// filter).

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

// Round lengths for scale bars.

/// Units of [`RoundLength`], each with its power of ten in metres.
const UNITS: [(i32, &str); 5] = [(3, "km"), (0, "m"), (-2, "cm"), (-3, "mm"), (-6, "µm")];

/// Length of 1, 2 or 5 times a power of ten metres.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundLength {
    digit: u32,
    power: i32,
}

impl RoundLength {
    /// Longest round length of at most so many metres; `None` if that is not a positive length.
    #[must_use]
    pub fn within(metres: f64) -> Option<Self> {
        if !metres.is_normal() || metres < 0.0 {
            return None;
        }
        let power = metres.log10().floor() as i32;
        let lengths = [(1, power + 1), (5, power), (2, power), (1, power)];
        let mut lengths = lengths
            .map(|(digit, power)| Self { digit, power })
            .into_iter();
        // If the logarithm was rounded up, even the last candidate may be slightly too long.
        let fits = lengths.find(|length| length.metres() <= metres);
        Some(fits.unwrap_or(Self {
            digit: 5,
            power: power - 1,
        }))
    }

    /// Length in metres.
    #[must_use]
    pub fn metres(self) -> f64 {
        // Dividing by a power of ten is exact, multiplying by its inverse is not.
        match self.power {
            power if power < 0 => f64::from(self.digit) / 10f64.powi(-power),
            power => f64::from(self.digit) * 10f64.powi(power),
        }
    }
}

impl fmt::Display for RoundLength {
    /// Format in km, m, cm, mm or µm, such as `20 cm`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let largest = UNITS.iter().find(|(power, _)| *power <= self.power);
        let (unit, name) = largest.unwrap_or(&UNITS[UNITS.len() - 1]);
        let zeros = |count: i32| "0".repeat(count.max(0) as usize);
        match self.power - unit {
            shift if shift < 0 => write!(f, "0.{}{} {name}", zeros(-shift - 1), self.digit),
            shift => write!(f, "{}{} {name}", self.digit, zeros(shift)),
        }
    }
}
