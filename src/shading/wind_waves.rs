//! Wind waves by fetch, the distance of open water upwind: the growth curves of JONSWAP (Hasselmann et al. 1973, as in
//! the Shore Protection Manual of 1984), and a map of the fetch.
//!
//! Significant height and peak period of a sea grow with the square and the cube root of the fetch F until the sea is
//! fully developed: g H/U² = 0.0016 √x and g T/U = 0.286 ∛x, where x = g F/U² ≤ 23 000 and U is the speed of the wind.
//! The length of waves in deep water is g T²/2π.
//!
//! Wind waves run in all directions around the wind, so the fetch is the mean over nine directions, by the square of the
//! cosine to the wind (Saville 1954). Each direction is one sweep downwind over the map, as semi-Lagrangian advection:
//! the fetch at a place is that of the place one step upwind, and the step. Land within a cell shortens it.

use std::f32::consts::{FRAC_PI_2, TAU};

use crate::scene::Scene;
use crate::shading::texture::waves::WIND;
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::numbers::metres_per_unit;
use crate::util::parallel;

/// Longest fetch, in tiles: that of the open sea around the tiles, and of a strait through all that repeat.
pub const OPEN_TILES: f32 = 4.0;
/// Most cells along a side of the map of the fetch.
const MOST_CELLS: usize = 256;
/// Directions from which waves come to a place.
const DIRECTIONS: usize = 9;
/// Speed of a gale in metres a second: that of the highest waves of the settings.
const GALE: f32 = 20.0;
const GRAVITY: f32 = 9.81;
/// Dimensionless fetch g F/U² of a fully developed sea.
const DEVELOPED: f32 = 23_000.0;

/// Speed of the wind, in metres a second, of the setting `waves`, 0…1.
#[must_use]
pub fn wind_speed(waves: f32) -> f32 {
    GALE * waves
}

/// Significant height of wind waves in metres, by the speed of the wind in metres a second and the fetch in metres.
#[must_use]
pub fn significant_height(wind: f32, fetch: f32) -> f32 {
    0.0016 * wind * (developing(wind, fetch) / GRAVITY).sqrt()
}

/// Length in metres of the waves with most energy, by the speed of the wind in metres a second and the fetch in metres.
#[must_use]
pub fn peak_length(wind: f32, fetch: f32) -> f32 {
    let period = 0.286 * libm::cbrtf(wind * developing(wind, fetch) / (GRAVITY * GRAVITY));
    GRAVITY * period * period / TAU
}

/// Significant height of the waves at the longest fetch of a scene, in half tiles.
#[must_use]
pub fn wave_height(scene: &Scene) -> f32 {
    let (wind, longest) = weather(scene);
    significant_height(wind, longest) / metres_per_unit(scene.surface.tile_size_m) as f32
}

/// Height of the waves at the longest fetch of a scene by its square root, ≥ 1: the sea is fully developed, and grows no
/// more, from a shorter fetch on.
#[must_use]
pub fn wave_saturation(scene: &Scene) -> f32 {
    let (wind, longest) = weather(scene);
    (longest / developing(wind, longest).max(1.0)).sqrt()
}

/// Speed of the wind of a scene in metres a second, and its longest fetch in metres.
fn weather(scene: &Scene) -> (f32, f32) {
    let wind = wind_speed(scene.water.waves);
    (wind, OPEN_TILES * scene.surface.tile_size_m)
}

/// The part of a fetch in metres over which the sea grows.
fn developing(wind: f32, fetch: f32) -> f32 {
    fetch.min(DEVELOPED * wind * wind / GRAVITY)
}

/// Square root of the fetch on the sea of a map, 0…255 for 0…[`OPEN_TILES`]. A texel is a block of samples; land near
/// the shore has the fetch of the water before it. Tiles that wrap are between others where they are drawn repeated, else
/// in an open sea.
///
/// # Errors
/// The job was cancelled.
pub fn fetch_map(
    map: &Heightmap,
    level: f32,
    repeats: bool,
    job: &Job,
) -> Result<Grid<u8>, Cancelled> {
    let wraps = repeats && map.wraps();
    let sea = sea_shares(map, level, job)?;
    let turns = (0..DIRECTIONS).map(|k| (k as f32 + 1.0) / (DIRECTIONS + 1) as f32 * 2.0 - 1.0);
    let swept = parallel::par_items(turns).try_map(|_, turn| {
        job.check()?;
        let turn = turn * FRAC_PI_2;
        let (sin, cos) = (libm::sinf(turn), libm::cosf(turn));
        let [x, z] = WIND;
        let heading = [x * cos - z * sin, x * sin + z * cos];
        Ok((cos * cos, sweep(&sea, wraps, heading)))
    })?;
    let (rows, columns) = (sea.rows(), sea.columns());
    let longest = OPEN_TILES * rows.max(columns) as f32;
    let all: f32 = swept.iter().map(|(weight, _)| weight).sum();
    let mean = |at: usize| {
        let sum: f32 = swept.iter().map(|(weight, fetch)| weight * fetch[at]).sum();
        (sum / (all * longest)).min(1.0).sqrt()
    };
    let fetch = ashore(&sea, (0..rows * columns).map(mean).collect(), wraps);
    let texels = fetch
        .iter()
        .map(|root| (root * 255.0 + 0.5) as u8)
        .collect();
    Ok(Grid::from_vec(rows, columns, texels).expect("one texel a block"))
}

/// Share of each block of the map that lies below the sea.
fn sea_shares(map: &Heightmap, level: f32, job: &Job) -> Result<Grid<f32>, Cancelled> {
    let cells = [map.rows(), map.columns()].map(|samples| (samples - 1).max(1));
    let block = cells[0].max(cells[1]).div_ceil(MOST_CELLS);
    let [rows, columns] = cells.map(|cells| cells.div_ceil(block));
    let mut shares = Grid::filled(rows, columns, 0.0);
    let strips = shares.as_mut_slice().chunks_mut(columns);
    parallel::par_items(strips).for_each_in(job, |row, shares| {
        let lines = row * block..((row + 1) * block).min(cells[0]);
        for (column, share) in shares.iter_mut().enumerate() {
            let across = column * block..((column + 1) * block).min(cells[1]);
            let count = lines.len() * across.len();
            let is_sea = |height: &&f32| **height <= level;
            let wet = lines
                .clone()
                .map(|line| map.row(line)[across.clone()].iter().filter(is_sea).count());
            *share = wet.sum::<usize>() as f32 / count as f32;
        }
    })?;
    Ok(shares)
}

/// Fetch in cells at each cell, against a wind that blows along a unit vector, x east and z south.
fn sweep(sea: &Grid<f32>, wraps: bool, [x, z]: [f32; 2]) -> Vec<f32> {
    let (rows, columns) = (sea.rows(), sea.columns());
    let longest = OPEN_TILES * rows.max(columns) as f32;
    // Lines across the wind, each from the one before: columns if it blows east or west, else rows.
    let is_east = x.abs() >= z.abs();
    let (along, aside) = if is_east { (x, z) } else { (z, x) };
    let (lines, places) = if is_east {
        (columns, rows)
    } else {
        (rows, columns)
    };
    let drift = aside / along.abs();
    let step = drift.hypot(1.0);
    let (shift, part) = (drift.floor(), drift - drift.floor());
    let mut before = vec![longest; places];
    let mut now = before.clone();
    let mut fetch = vec![0.0; rows * columns];
    // Tiles repeat; the last round is the one that stays.
    let rounds = if wraps { OPEN_TILES as usize } else { 1 };
    for line in (0..rounds).flat_map(|_| 0..lines) {
        let line = if along > 0.0 { line } else { lines - 1 - line };
        let upwind = |place: isize| {
            if wraps {
                before[place.rem_euclid(places as isize) as usize]
            } else {
                usize::try_from(place)
                    .ok()
                    .and_then(|place| before.get(place))
                    .map_or(longest, |fetch| *fetch)
            }
        };
        for (place, now) in now.iter_mut().enumerate() {
            let at = if is_east {
                place * columns + line
            } else {
                line * columns + place
            };
            let from = place as isize - shift as isize;
            let far = upwind(from) + (upwind(from - 1) - upwind(from)) * part;
            fetch[at] = (far + step).min(longest);
            *now = fetch[at] * sea.as_slice()[at];
        }
        std::mem::swap(&mut before, &mut now);
    }
    fetch
}

/// Blocks with more land than sea get the mean of the sea around them, two blocks far.
fn ashore(sea: &Grid<f32>, mut fetch: Vec<f32>, wraps: bool) -> Vec<f32> {
    let (rows, columns) = (sea.rows() as isize, sea.columns() as isize);
    let mut known: Vec<f32> = sea
        .as_slice()
        .iter()
        .map(|share| if *share < 0.5 { 0.0 } else { *share })
        .collect();
    for _ in 0..2 {
        let (old, weights) = (fetch.clone(), known.clone());
        for row in 0..rows {
            for column in 0..columns {
                let at = (row * columns + column) as usize;
                if weights[at] > 0.0 {
                    continue;
                }
                let around = (-1..=1)
                    .flat_map(|down| (-1..=1).map(move |right| (row + down, column + right)));
                let (mut sum, mut all) = (0.0, 0.0);
                for (row, column) in around {
                    let is_within = (0..rows).contains(&row) && (0..columns).contains(&column);
                    if wraps || is_within {
                        let next =
                            (row.rem_euclid(rows) * columns + column.rem_euclid(columns)) as usize;
                        sum += old[next] * weights[next];
                        all += weights[next];
                    }
                }
                (fetch[at], known[at]) = if all > 0.0 {
                    (sum / all, 1.0)
                } else {
                    (0.0, 0.0)
                };
            }
        }
    }
    fetch
}
