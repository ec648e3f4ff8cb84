//! Sky panorama in equirectangular projection, seen from the middle of the ground: the middle of the
//! picture is north, east is to its right, and the top is straight up.
//!
//! The sky of `rendered` is a pyramid of clouds around the camera, in fog towards the horizon (Martz
//! 1996); below the pyramid there is only fog. All other render types have the physical sky.

use std::f32::consts::{PI, TAU};

use glam::Vec3;

use super::{Kind, Map};
use crate::scene::{Fog, Scene};
use crate::shading::sky::air::Air;
use crate::shading::sky::{self, CloudPlane, Exposed, SUN_RADIUS, tone};
use crate::shading::texture::{clouds, repeated};
use crate::terrain::grid::Grid;
use crate::util::job::{Cancelled, Job};
use crate::util::parallel;

/// Map `sky`.
pub(super) const MAP: Map = Map {
    name: "sky",
    help: "Panorama of the whole sky (for `rendered`, its own sky), 2:1, equirectangular: north \
           is in the middle.",
    unit: "",
    range: None,
    kind: Kind::Sky,
};

/// Number of sides of the pyramid.
pub(crate) const SIDES: u32 = 8;
/// Height of the pyramid's apex above the camera, in half tiles.
pub(crate) const APEX: f32 = 2.0;
/// Height of the pyramid's base, which is below the camera, in half tiles.
pub(crate) const BASE: f32 = -1.0;
/// Distance of the base's corners, in half tiles.
pub(crate) const RADIUS: f32 = 15.0;
/// Number of repetitions of the clouds across the base.
pub(crate) const REPEATS: f32 = 6.0;
/// Fog colour, sRGB.
pub(crate) const FOG: [f32; 3] = [0.84, 0.87, 1.0];
/// Distances at which the fog on the sky begins and ends, relative to those on the ground.
pub(crate) const SKY_FOG: (f32, f32) = (1.5, 11.0 / 7.0);

/// Number of rows of the panorama.
const ROWS: usize = 1024;
/// Supersampling: rays per pixel along each side, since clouds get small towards the horizon.
const RAYS: usize = 2;

/// Render the sky of `rendered` (sRGB, 1024 rows of 2048) under `clouds`, which repeat. Runs in parallel
/// in the current rayon pool.
///
/// # Errors
/// The job was cancelled.
pub fn panorama(clouds: &Grid<[u8; 3]>, fog: &Fog, job: &Job) -> Result<Grid<[u8; 3]>, Cancelled> {
    all_around(job, |direction| seen(clouds, fog, direction))
}

/// Render the physical sky of `scene` (sRGB, 1024 rows of 2048) with clouds of these `ranks`, like render
/// type `sky` but without stars. Runs in parallel in the current rayon pool.
///
/// # Errors
/// The job was cancelled.
pub fn physical(scene: &Scene, ranks: &Grid<u8>, job: &Job) -> Result<Grid<[u8; 3]>, Cancelled> {
    let sky = &scene.sky;
    let exposed = Exposed::new(&Air::new(sky.turbidity), &scene.light, sky);
    let cover = clouds::slopes(ranks);
    let clouds = sky::Clouds {
        plane: CloudPlane::new(sky, 0.0),
        cover: &cover,
    };
    let edge = libm::cosf(SUN_RADIUS);
    all_around(job, |direction| {
        let direction = Vec3::from_array(direction);
        let to_sun = exposed.dome.sun_direction.dot(direction);
        let disc = if to_sun > edge && direction.y > 0.0 {
            exposed.disc_light()
        } else {
            Vec3::ZERO
        };
        let light = clouds.over(&exposed.dome, disc, Vec3::ZERO, direction);
        tone::screen(light, exposed.night).to_array()
    })
}

/// Render a panorama from a colour for each direction (east, up, south); sRGB, 0…1.
fn all_around(
    job: &Job,
    seen: impl Fn([f32; 3]) -> [f32; 3] + Sync,
) -> Result<Grid<[u8; 3]>, Cancelled> {
    let columns = 2 * ROWS;
    let mut pixels = Grid::filled(ROWS, columns, [0; 3]);
    let rows = parallel::par_items(pixels.as_mut_slice().chunks_mut(columns));
    rows.for_each_in(job, |row, pixels| {
        for (column, pixel) in pixels.iter_mut().enumerate() {
            let mut sum = [0.0; 3];
            for ray in 0..RAYS * RAYS {
                let part = |index: usize| (index as f32 + 0.5) / RAYS as f32;
                let up = (row as f32 + part(ray / RAYS)) / ROWS as f32;
                let round = (column as f32 + part(ray % RAYS)) / columns as f32;
                let color = seen(direction(up, round));
                sum = std::array::from_fn(|i| sum[i] + color[i]);
            }
            let scale = 255.0 / (RAYS * RAYS) as f32;
            *pixel = sum.map(|v| (v * scale + 0.5) as u8);
        }
    })?;
    Ok(pixels)
}

/// Direction (east, up, south) of a place in the picture, 0…1 down and to the right.
fn direction(down: f32, right: f32) -> [f32; 3] {
    let (elevation, bearing) = ((0.5 - down) * PI, (right - 0.5) * TAU);
    let level = libm::cosf(elevation);
    let [east, north] = [libm::sinf(bearing), libm::cosf(bearing)];
    [east * level, libm::sinf(elevation), -north * level]
}

/// Colour of the pyramid sky in a direction.
fn seen(clouds: &Grid<[u8; 3]>, fog: &Fog, [east, up, south]: [f32; 3]) -> [f32; 3] {
    // Each face of the pyramid falls from the apex to the base over its apothem; the camera is at the
    // origin.
    let half = PI / SIDES as f32;
    let apothem = RADIUS * libm::cosf(half);
    let fall = (APEX - BASE) / apothem;
    let outwards = (0..SIDES).map(|side| {
        let angle = half * (2 * side + 1) as f32;
        east * libm::cosf(angle) + south * libm::sinf(angle)
    });
    let outwards = outwards.fold(f32::NEG_INFINITY, f32::max);
    let steepness = up + fall * outwards;
    if steepness <= 0.0 {
        return FOG;
    }
    let distance = APEX / steepness;
    if distance * up < BASE {
        return FOG;
    }
    let thickness = if fog.enabled {
        let (start, end) = (fog.start * SKY_FOG.0, fog.end * SKY_FOG.1);
        // The lower bound avoids 0 / 0 if the fog begins and ends at the same distance.
        ((distance - start) / (end - start).max(1e-3)).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let per_unit = REPEATS / (2.0 * RADIUS);
    let color = repeated(
        clouds,
        east * distance * per_unit,
        south * distance * per_unit,
    );
    std::array::from_fn(|i| color[i] + (FOG[i] - color[i]) * thickness)
}
