//! Picking: ray casting from points of the picture to the heightfield.
//!
//! The ray advances in steps that grow with the distance, and a bisection refines the first crossing. Ridges
//! thinner than a step can be missed.

use glam::{DVec3, Vec2, Vec3};

use super::Ground;
use crate::fractal::region::Region;
use crate::pipeline::least_cell;
use crate::scene::{Camera, CameraMode, Scene};

/// Number of steps across the ground's side.
const STEPS: f64 = 4096.0;
/// Growth of a step near the eye, as a fraction of the distance travelled.
const GROWTH: f64 = 0.06;
/// Minimum step, as a fraction of the longest one.
const LEAST_STEP: f64 = 1e-12;
/// Size of the smallest ground detail taken into account, as a fraction of its distance.
pub(super) const SMALLEST: f64 = 0.005;

/// Cast a ray through a point of the picture and return where it hits the ground, in half tiles from the
/// centre of all tiles, or `None` if it misses. `at` runs from the centre to the right and up, 1 at the
/// edges; `aspect` is width over height. Cost: up to some thousand steps. A picture without a valid aspect
/// ratio hits nothing.
#[must_use]
pub fn place_seen(camera: &Camera, ground: &Ground, at: Vec2, aspect: f32) -> Option<DVec3> {
    let eye = camera.eye();
    let [right, up, forward] = axes(camera);
    let half = (camera.fov.to_radians() * 0.5).tan();
    let aside = (right * at.x * aspect + up * at.y) * half;
    let distance = f64::from(camera.distance);
    let (aside, forward) = (aside.as_dvec3(), forward.as_dvec3());
    if camera.mode == CameraMode::Top {
        let place = eye + aside * distance;
        let [x, z] = ground.reach().map(f64::from);
        let is_there = place.x.abs() <= x && place.z.abs() <= z;
        let y = || ground.height_near(place.x, place.z, distance * SMALLEST);
        return is_there.then(|| DVec3 { y: y(), ..place });
    }
    let (from, way) = (eye, (forward + aside).normalize());
    let (near, far) = within(ground, from, way)?;
    let smallest = |away: f64| away * SMALLEST;
    let above = |away: f64| {
        let place = from + way * away;
        place.y - ground.height_near(place.x, place.z, smallest(away))
    };
    let longest = f64::from(ground.reach()[0].max(ground.reach()[1])) * 2.0 / STEPS;
    let mut last = near;
    // Rays from below the ground hit its underside.
    let side = above(near) > 0.0;
    // With refinement levels, steps must resolve what is close to the eye.
    let shortest = if ground.is_endless() {
        above(near).abs() * GROWTH
    } else {
        longest
    };
    while last < far {
        let step = (last * GROWTH).max(shortest).min(longest);
        // A zero step would trap an eye exactly on the ground.
        let step = step.max(longest * LEAST_STEP);
        let next = (last + step).min(far);
        if (above(next) > 0.0) != side {
            let (mut before, mut behind) = (last, next);
            // Bisection, to a millionth of the step.
            for _ in 0..20 {
                let middle = (before + behind) * 0.5;
                if (above(middle) > 0.0) == side {
                    before = middle;
                } else {
                    behind = middle;
                }
            }
            let place = from + way * behind;
            let y = ground.height_near(place.x, place.z, smallest(behind));
            return Some(DVec3 { y, ..place });
        }
        last = next;
    }
    None
}

/// Unit direction of the view ray through a point of the picture, in perspective; `at` and `aspect` are as in
/// [`place_seen`].
#[must_use]
pub fn direction_seen(camera: &Camera, at: Vec2, aspect: f32) -> Vec3 {
    let [right, up, forward] = axes(camera);
    let half = (camera.fov.to_radians() * 0.5).tan();
    (forward + (right * at.x * aspect + up * at.y) * half).normalize_or(forward)
}

/// Project a direction into the picture, in perspective: the inverse of [`direction_seen`]. `None` behind the
/// camera.
#[must_use]
pub fn seen_at(camera: &Camera, direction: Vec3, aspect: f32) -> Option<Vec2> {
    let [right, up, forward] = axes(camera);
    let half = (camera.fov.to_radians() * 0.5).tan();
    let ahead = direction.dot(forward) * half;
    let at = Vec2::new(direction.dot(right) / aspect, direction.dot(up)) / ahead;
    (ahead > 0.0 && at.is_finite()).then_some(at)
}

/// Orthonormal axes of a camera: right, up and forward.
fn axes(camera: &Camera) -> [Vec3; 3] {
    let (bearing, forward) = (camera.bearing.to_radians(), camera.forward());
    let right = Vec3::new(bearing.cos(), 0.0, bearing.sin());
    [right, right.cross(forward), forward]
}

/// Width of the view in half tiles, at the ground in the centre of a picture of this aspect ratio; `None`
/// where there is no ground. Costs as much as [`place_seen`].
#[must_use]
pub fn width_seen(camera: &Camera, ground: &Ground, aspect: f32) -> Option<f64> {
    let seen = place_seen(camera, ground, Vec2::ZERO, aspect)?;
    let away = match camera.mode {
        CameraMode::Top => f64::from(camera.distance),
        _ => (seen - camera.eye()).dot(camera.forward().as_dvec3()),
    };
    Some(2.0 * away * f64::from((camera.fov.to_radians() * 0.5).tan() * aspect))
}

/// Clip a ray to the bounding box of all tiles (slab test); returns the near and the far distance.
fn within(ground: &Ground, from: DVec3, way: DVec3) -> Option<(f64, f64)> {
    const MARGIN: f64 = 1e-3;
    let [x, z] = ground.reach().map(f64::from);
    let low = DVec3::new(-x, f64::from(ground.lowest()) - MARGIN, -z);
    let high = DVec3::new(x, f64::from(ground.highest()) + MARGIN, z);
    let parallel = |axis: usize| way[axis] == 0.0;
    let (mut near, mut far) = (f64::NEG_INFINITY, f64::INFINITY);
    for axis in 0..3 {
        if parallel(axis) {
            if !(low[axis]..=high[axis]).contains(&from[axis]) {
                return None;
            }
            continue;
        }
        let (a, b) = (
            (low[axis] - from[axis]) / way[axis],
            (high[axis] - from[axis]) / way[axis],
        );
        near = near.max(a.min(b));
        far = far.min(a.max(b));
    }
    let near = near.max(0.0);
    // A ray without a finite direction hits nothing.
    (near < far && way.is_finite()).then_some((near, far))
}

// Region of the ground visible in a picture, at the level of detail it shows.

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

/// Height, slope and coordinates of a position on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// Height of the ground, or of the water over it, in half tiles.
    pub height: f64,
    /// Slope of the ground, in degrees.
    pub slope: f64,
    /// Distance from the western and the northern border of the tile, as fractions of the tile's sides, 0…1.
    pub on_tile: [f64; 2],
    /// Distance from the same borders in half tiles.
    pub from_corner: [f64; 2],
}

impl Spot {
    /// Measure `ground` at x and z, in half tiles from the centre of all tiles, with detail down to `size`.
    /// The slope is a central difference over one sample to each side, or over `size` where refinement levels
    /// continue the ground.
    #[must_use]
    pub fn of(ground: &Ground, x: f64, z: f64, size: f64) -> Self {
        let cells = [0, 1].map(|axis| ground.cells(axis).max(1) as f64);
        let tile = [(0, x), (1, z)].map(|(axis, at)| ground.tile_around(axis, at));
        let side = tile.map(|[first, last]| last - first);
        let cell = (side[0] / cells[0]).max(side[1] / cells[1]);
        let step = if ground.is_endless() {
            size.clamp(f64::MIN_POSITIVE, cell)
        } else {
            cell
        };
        let reach = ground.reach().map(f64::from);
        let height = |x: f64, z: f64| ground.height_near(x, z, step);
        // At the border the difference is one-sided.
        let ends = |at: f64, reach: f64| [(at - step).max(-reach), (at + step).min(reach)];
        let rise = |ends: [f64; 2], heights: [f64; 2]| match ends[1] - ends[0] {
            run if run > 0.0 => (heights[1] - heights[0]) / run,
            _ => 0.0,
        };
        let (across, down) = (ends(x, reach[0]), ends(z, reach[1]));
        let east = rise(across, across.map(|x| height(x, z)));
        let south = rise(down, down.map(|z| height(x, z)));
        let on_tile = [(0, x), (1, z)].map(|(axis, at)| ground.on_tile(axis, at).1);
        Self {
            height: height(x, z),
            slope: east.hypot(south).atan().to_degrees(),
            on_tile,
            from_corner: [0, 1].map(|axis| on_tile[axis] * side[axis]),
        }
    }

    /// Measure a position as seen from `eye`: the detail depends on the distance.
    #[must_use]
    pub fn seen(ground: &Ground, place: DVec3, eye: DVec3) -> Self {
        Self::of(ground, place.x, place.z, eye.distance(place) * SMALLEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::heightmap::Heightmap;

    /// A plane that rises by 0.5 per half tile eastwards and falls by 0.25 southwards.
    fn plane() -> Ground {
        let heights: Vec<f32> = (0..17 * 9)
            .map(|index| {
                let (row, column) = (index / 17, index % 17);
                (column as f32 * 0.5 - row as f32 * 0.25) / 8.0
            })
            .collect();
        Ground::new(&Heightmap::new(9, 17, false, heights), 1).expect("ground")
    }

    #[test]
    fn plane_has_its_slope_everywhere_and_at_border() {
        let wanted = 0.5f64.hypot(0.25).atan().to_degrees();
        for (x, z) in [(0.0, 0.0), (-1.0, -0.5), (1.0, 0.5), (0.93, -0.31)] {
            let spot = Spot::of(&plane(), x, z, 0.001);
            assert!((spot.slope - wanted).abs() < 0.05, "{x} {z}: {spot:?}");
            let height = (x + 1.0) * 0.5 - (z + 0.5) * 0.25;
            assert!((spot.height - height).abs() < 1e-3, "{x} {z}: {spot:?}");
        }
    }

    #[test]
    fn place_is_counted_from_its_own_tile_corner() {
        let spot = Spot::of(&plane(), 0.5, -0.25, 0.001);
        assert_eq!(spot.on_tile, [0.75, 0.25]);
        assert_eq!(spot.from_corner, [1.5, 0.25]);
        let tiled = plane().tiled(2);
        assert_eq!(Spot::of(&tiled, -0.5, -0.25, 0.001).on_tile, [0.75, 0.75]);
        assert_eq!(Spot::of(&tiled, 1.5, 0.25, 0.001).on_tile, [0.75, 0.25]);
    }
}
