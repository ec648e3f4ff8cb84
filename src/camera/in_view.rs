//! Region of the ground visible in a picture, at the level of detail it shows.

use glam::{DVec3, Vec2};

use super::Ground;
use super::sight::place_seen;
use crate::fractal::region::Region;
use crate::pipeline::least_cell;
use crate::scene::{Camera, CameraMode, Scene};

/// Upper limit of samples along each side of the visible region.
pub const MOST_IN_VIEW: u64 = 4096;
/// Limit of the visible region, as a multiple of the distance to the picture's centre.
const FARTHEST: f64 = 3.0;
/// Picture coordinates of the view rays, from the centre to the right and up.
const ACROSS: [f32; 3] = [-1.0, 0.0, 1.0];
const UP: [f32; 9] = [-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0];

/// A rectangle of samples at one level of the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InView {
    /// Refinement level of the samples, counted from the map's last level (0).
    pub levels: u32,
    /// Rectangle of samples.
    pub region: Region,
}

/// Bounding rectangle of the visible part of the tile in the centre of the picture.
///
/// Its level is the one the picture shows there, or a coarser one with at most [`MOST_IN_VIEW`] samples per
/// side; a map that is larger even so is cut to the samples around the centre. `None` if there is no ground
/// in the centre.
///
/// `picture` is the width and height in pixels, and `stride` the number of the map's samples from one sample
/// of the ground to the next. At grazing angles the region ends at three times the distance of the centre.
/// Cost: about thirty calls of [`place_seen`].
#[must_use]
pub fn in_view(scene: &Scene, ground: &Ground, picture: Vec2, stride: usize) -> Option<InView> {
    let camera = &scene.camera;
    let aspect = picture.x / picture.y;
    let (eye, middle) = (
        camera.eye(),
        place_seen(camera, ground, Vec2::ZERO, aspect)?,
    );
    let away = match camera.mode {
        CameraMode::Top => f64::from(camera.distance),
        _ => eye.distance(middle),
    };
    let farthest = match camera.mode {
        CameraMode::Top => f64::INFINITY,
        _ => FARTHEST * away,
    };
    let points = ACROSS
        .iter()
        .flat_map(|x| UP.iter().map(|y| Vec2::new(*x, *y)));
    let land = on_the_tile(ground, middle)
        .filter(|place| is_within(camera, *place, aspect) && eye.distance(*place) < farthest);
    let seen: Vec<DVec3> = points
        .filter_map(|at| place_seen(camera, ground, at, aspect))
        .map(|place| {
            let way = place - eye;
            eye + way * (farthest / way.length()).min(1.0)
        })
        .chain(land)
        .collect();
    let pixel = 2.0 * f64::from((camera.fov.to_radians() * 0.5).tan() / picture.y.max(1.0));
    let own = stride.max(1).ilog2();
    let cell = least_cell(scene, pixel);
    let seen_below = cell.map_or(0, |cell| ground.levels_seen(camera, cell, away));
    let mut below = seen_below.max(own);
    loop {
        let sides = [0, 1].map(|axis| {
            let all = seen.iter().map(|place| [place.x, place.z][axis]);
            side(ground, axis, below, [middle.x, middle.z][axis], all)
        });
        let is_small = sides.iter().all(|side| side.count <= MOST_IN_VIEW);
        if is_small || below == own {
            let [columns, rows] = sides.map(Side::cut);
            return Some(InView {
                levels: below - own,
                region: Region {
                    row: rows.first,
                    column: columns.first,
                    rows: rows.count as usize,
                    columns: columns.count as usize,
                },
            });
        }
        below -= 1;
    }
}

/// Regular grid of positions on the tile under a place: from afar, view rays may miss most of it.
fn on_the_tile(ground: &Ground, place: DVec3) -> impl Iterator<Item = DVec3> {
    const PARTS: u32 = 32;
    let [x, z] = [(0, place.x), (1, place.z)].map(|(axis, at)| ground.tile_around(axis, at));
    let at = |[first, last]: [f64; 2], part: u32| {
        first + (last - first) * f64::from(part) / f64::from(PARTS)
    };
    let all = (0..=PARTS).flat_map(|row| (0..=PARTS).map(move |column| (row, column)));
    all.map(move |(row, column)| {
        let (x, z) = (at(x, column), at(z, row));
        DVec3::new(x, ground.height(x as f32, z as f32).into(), z)
    })
}

/// True if a position projects into the picture of the given aspect ratio.
fn is_within(camera: &Camera, place: DVec3, aspect: f32) -> bool {
    let (way, forward) = (place - camera.eye(), camera.forward().as_dvec3());
    let bearing = f64::from(camera.bearing).to_radians();
    let right = DVec3::new(bearing.cos(), 0.0, bearing.sin());
    let up = right.cross(forward);
    let away = match camera.mode {
        CameraMode::Top => f64::from(camera.distance),
        _ => way.dot(forward),
    };
    let half = away * f64::from((camera.fov.to_radians() * 0.5).tan());
    way.dot(right).abs() <= half * f64::from(aspect) && way.dot(up).abs() <= half
}

/// Range of samples along one axis of a tile.
struct Side {
    first: u64,
    count: u64,
    /// Sample nearest to the centre of the picture.
    middle: u64,
}

/// Range of samples between the minimum and the maximum of some positions, on the tile under `middle`.
fn side(
    ground: &Ground,
    axis: usize,
    levels: u32,
    middle: f64,
    places: impl Iterator<Item = f64>,
) -> Side {
    let cells = ground.cells(axis) << levels;
    let (tile, middle) = ground.on_tile(axis, middle);
    let sample = |part: f64| part.clamp(0.0, 1.0) * cells as f64;
    let middle = sample(middle);
    let (least, most) = places
        .map(|place| sample(ground.tiles_away(axis, tile, place)))
        .fold((middle, middle), |(least, most), at| {
            (least.min(at), most.max(at))
        });
    let first = least.floor() as u64;
    Side {
        first,
        count: most.ceil() as u64 + 1 - first,
        middle: middle.round() as u64,
    }
}

impl Side {
    /// Limit the range to [`MOST_IN_VIEW`] samples around the middle.
    fn cut(self) -> Self {
        if self.count <= MOST_IN_VIEW {
            return self;
        }
        let last = self.first + self.count - MOST_IN_VIEW;
        let around = self.middle.saturating_sub(MOST_IN_VIEW / 2);
        Self {
            first: around.clamp(self.first, last),
            count: MOST_IN_VIEW,
            ..self
        }
    }
}
