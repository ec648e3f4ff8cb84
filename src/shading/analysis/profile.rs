//! Elevation profile along a straight cross-section.

use crate::scene::Section;
use crate::terrain::heightmap::Heightmap;
use crate::util::numbers::{fixed, metres_per_unit};

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
