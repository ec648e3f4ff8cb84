//! Textures of ground close to the camera: cracked rock, ripples of wind in sand and snow, pebbles. Each tiles, and
//! its mipmaps fade what is smaller than a pixel.
//!
//! - *Rock*: two sizes of blocks, cells around jittered points (Worley 1996), each tilted a little; cracks lie along
//!   the borders of the cells, the lines halfway between two points.
//! - *Ripples*: phasor noise (Tricard et al. 2019). A narrow band of waves, summed together with its Hilbert transform,
//!   gives a phase; a profile of this phase has crests that are all as high, wander and fork.
//! - *Pebbles*: ellipsoids thrown from large to small, each where it touches no other.
//!
//! Slopes are central differences eastwards and southwards, in units of `SLOPES` standard deviations; 128 is 0, and
//! 1…255 is −1…1.

use super::detail::{byte, deviation, map};
use crate::generate::GenerateError;
use crate::generate::fourier::{Complex, Spectrum, sum_waves};
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::Job;
use crate::util::numbers::smoothstep;
use crate::util::rng::{mix, unit};

/// Number of texels along each side.
pub const SIDE: usize = 512;
/// Metres that the textures of rock, of pebbles, of ripples in sand and of ripples in snow cover.
pub const METRES: [f64; 4] = [3.0, 1.2, 1.8, 6.0];
/// Largest slope that a texel can hold, in multiples of the standard deviation.
const SLOPES: f32 = 3.0;

/// Cells of rock along the sides, how deep cracks are, how wide, both in texels, and how steep the blocks.
const BLOCKS: [([usize; 2], f32, f32, f32); 2] =
    [([5, 7], 5.0, 3.4, 0.2), ([15, 19], 2.0, 1.7, 0.25)];
/// Texels by which the borders of the cells wander.
const WANDER: f32 = 7.0;

/// Radii of pebbles in texels, and how many are thrown of each.
const PEBBLES: [(f32, usize); 6] = [
    (13.0, 40),
    (9.0, 150),
    (6.5, 500),
    (4.5, 1500),
    (3.2, 4000),
    (2.3, 8000),
];

/// Waves of ripples along the side, and the widths of the band along the wind and across it.
const RIPPLES: [f32; 3] = [17.0, 1.8, 3.2];
/// The same of ripples in snow, which are longer along the wind than across it.
const CRUST: [f32; 3] = [11.0, 6.0, 9.0];

/// Create the texture of rock. A texel holds slopes, how open a crack is as 0…255, and the height of a fractal with
/// 128 as its mean.
///
/// # Errors
/// The job was cancelled.
pub fn rock(job: &Job) -> Result<Grid<[u8; 4]>, GenerateError> {
    let wander = map(0x6A6F_696E_7473, [0.0, 0.6, 1.0, 0.8, 0.5, 0.3], job)?;
    let lichen = map(0x6C69_6368_656E, [0.0, 0.1, 0.5, 1.0, 1.0, 1.0], job)?;
    let scale = |map: &[f32]| WANDER / deviation(map.iter().copied());
    let sizes = [0, 1].map(|size| Blocks::new(BLOCKS[size].0, size as u64));
    let at = |map: &Heightmap, row: usize, column: usize| map.row(row % SIDE)[column % SIDE];
    let flat = |map: &Heightmap| -> Vec<f32> {
        places().map(|(row, column)| at(map, row, column)).collect()
    };
    let (wander_scale, lichen_scale) = (scale(&flat(&wander)), scale(&flat(&lichen)) / WANDER);
    let mut open = vec![0.0_f32; SIDE * SIDE];
    let mut heights = vec![0.0_f32; SIDE * SIDE];
    for (row, column) in places() {
        let index = row * SIDE + column;
        let off = |far: usize| at(&wander, row + far, column + 2 * far) * wander_scale;
        let place = [column as f32 + off(0), row as f32 + off(171)];
        for (blocks, (_, deep, wide, steep)) in sizes.iter().zip(BLOCKS) {
            let (border, from_middle, block) = blocks.at(place);
            // Cracks are wide in one place and closed in another.
            let wide = wide * (0.8 + 0.35 * at(&lichen, row + 99, column) * lichen_scale).max(0.1);
            let crack = 1.0 - smoothstep(border / wide);
            open[index] = open[index].max(crack * deep / BLOCKS[0].1);
            let tilt = [0, 1].map(|axis| steep * (2.0 * hashed(block, 7 + axis) - 1.0));
            heights[index] += tilt[0] * from_middle[0] + tilt[1] * from_middle[1] - crack * deep;
        }
    }
    let slopes = slopes(&heights);
    let texels = places().map(|(row, column)| {
        let index = row * SIDE + column;
        let [east, south] = slopes[index];
        let spots = at(&lichen, row, column) * lichen_scale / 2.5;
        [
            east,
            south,
            (open[index].min(1.0) * 255.0 + 0.5) as u8,
            byte(spots),
        ]
    });
    Ok(Grid::from_vec(SIDE, SIDE, texels.collect()).expect("one texel a place"))
}

/// Cells around jittered points, periodic.
struct Blocks {
    cells: [usize; 2],
    size: u64,
    /// Points in texels, row by row.
    points: Vec<[f32; 2]>,
}

impl Blocks {
    fn new(cells: [usize; 2], size: u64) -> Self {
        let point = |index: usize| {
            let cell = [index % cells[0], index / cells[0]];
            let jitter = |axis| 0.85 * (hashed((size << 32) | index as u64, axis) - 0.5);
            [0, 1].map(|axis| {
                let inside = 0.5 + jitter(axis as u64);
                (cell[axis] as f32 + inside) * SIDE as f32 / cells[axis] as f32
            })
        };
        let points = (0..cells[0] * cells[1]).map(point).collect();
        Self {
            cells,
            size,
            points,
        }
    }

    /// Of the block at a place in texels: how far its border is, the way from its middle, and its number.
    fn at(&self, place: [f32; 2]) -> (f32, [f32; 2], u64) {
        let home =
            [0, 1].map(|axis| (place[axis] * self.cells[axis] as f32 / SIDE as f32).floor() as i64);
        let around = |home: [i64; 2], reach: i64| {
            (-reach..=reach).flat_map(move |down| {
                (-reach..=reach).map(move |across| [home[0] + across, home[1] + down])
            })
        };
        // The way to the point of a cell.
        let way = |cell: [i64; 2]| {
            let index = self.index(cell);
            off(self.points[index], place)
        };
        let square = |way: [f32; 2]| way[0] * way[0] + way[1] * way[1];
        let (own, cell) = around(home, 1)
            .map(|cell| (way(cell), cell))
            .min_by(|a, b| square(a.0).total_cmp(&square(b.0)))
            .expect("cells around");
        let border = around(cell, 2)
            .filter(|other| *other != cell)
            .map(|other| {
                let other = way(other);
                let between = [other[0] - own[0], other[1] - own[1]];
                let length = square(between).sqrt().max(1e-3);
                let sum = between[0] * (own[0] + other[0]) + between[1] * (own[1] + other[1]);
                sum / (2.0 * length)
            })
            .fold(f32::MAX, f32::min);
        let number = (self.size << 32) | self.index(cell) as u64;
        (border, own.map(|way| -way), number)
    }

    fn index(&self, cell: [i64; 2]) -> usize {
        let [column, row] =
            [0, 1].map(|axis| cell[axis].rem_euclid(self.cells[axis] as i64) as usize);
        row * self.cells[0] + column
    }
}

/// Create the texture of what wind coming from `upwind`, a unit vector east and south, makes. A texel holds the slopes
/// of ripples in sand, then those of ripples in snow.
///
/// # Errors
/// The job was cancelled.
pub fn ripples(upwind: [f32; 2], job: &Job) -> Result<Grid<[u8; 4]>, GenerateError> {
    let waves = |band, seed, quarter| waves(upwind, band, seed, quarter, job);
    let [even, odd] = [
        waves(RIPPLES, 0x0073_616E_6401, false)?,
        waves(RIPPLES, 0x0073_616E_6401, true)?,
    ];
    let high = deviation(even.iter().copied());
    let sand: Vec<f32> = even
        .iter()
        .zip(&odd)
        .map(|(&even, &odd)| {
            let strength = (even.hypot(odd) / high).min(1.0);
            let phase = libm::atan2f(odd, even);
            // The side in the lee is steeper.
            strength * (libm::cosf(phase) + 0.3 * libm::cosf(2.0 * phase - 0.9))
        })
        .collect();
    let crust = waves(CRUST, 0x0073_6E6F_7701, false)?;
    let (sand, crust) = (slopes(&sand), slopes(&crust));
    let texels = sand.into_iter().zip(crust);
    let texels = texels.map(|([a, b], [c, d])| [a, b, c, d]);
    Ok(Grid::from_vec(SIDE, SIDE, texels.collect()).expect("one texel a place"))
}

/// A periodic sum of waves of a band, see [`RIPPLES`], a quarter of a wave later if `quarter`.
fn waves(
    upwind: [f32; 2],
    [number, along, across]: [f32; 3],
    seed: u64,
    quarter: bool,
    job: &Job,
) -> Result<Vec<f32>, GenerateError> {
    let spectrum = Spectrum::new(seed, 1.0, 1.0);
    let fill = |k: usize, waves: &mut [Complex<f32>]| {
        spectrum.fill(k, waves);
        let side = waves.len();
        for (index, wave) in waves.iter_mut().enumerate() {
            let l = if index > side / 2 {
                index as f32 - side as f32
            } else {
                index as f32
            };
            let k = k as f32;
            let downwind = -(k * upwind[0] + l * upwind[1]);
            let aside = k * upwind[1] - l * upwind[0];
            let off = (downwind.abs() - number) / along;
            let part = libm::expf(-0.5 * (off * off + (aside / across) * (aside / across)));
            // The spectrum falls with the square of the number.
            *wave *= part * (k * k + l * l);
            if quarter {
                *wave *= Complex::new(0.0, -downwind.signum());
            }
        }
    };
    let mut map = vec![0.0; (SIDE + 1) * (SIDE + 1)];
    sum_waves(SIDE, fill, &mut map, job)?;
    Ok(places()
        .map(|(row, column)| map[row * (SIDE + 1) + column])
        .collect())
}

/// Create the texture of pebbles. A texel holds slopes, the height above the ground as 0…255, and the tone of its
/// pebble, 128 where none is.
#[must_use]
pub fn pebbles() -> Grid<[u8; 4]> {
    let mut stones: Vec<Pebble> = Vec::new();
    for (size, (radius, thrown)) in PEBBLES.into_iter().enumerate() {
        for throw in 0..thrown {
            let pebble = Pebble::thrown(radius, ((size as u64) << 32) | throw as u64);
            let is_free = |other: &Pebble| {
                let [x, y] = off(pebble.middle, other.middle);
                let apart = 0.93 * (pebble.radius + other.radius);
                x * x + y * y > apart * apart
            };
            if stones.iter().all(is_free) {
                stones.push(pebble);
            }
        }
    }
    let mut heights = vec![0.0_f32; SIDE * SIDE];
    let mut tones = vec![128_u8; SIDE * SIDE];
    for stone in &stones {
        let reach = (stone.radius * 1.3).ceil() as i64;
        let [column, row] = stone.middle.map(|at| at as i64);
        for (down, across) in
            (-reach..=reach).flat_map(|down| (-reach..=reach).map(move |across| (down, across)))
        {
            let at = [column + across, row + down].map(|at| at.rem_euclid(SIDE as i64) as usize);
            let index = at[1] * SIDE + at[0];
            let height = stone.height(at.map(|at| at as f32));
            if height > heights[index] {
                heights[index] = height;
                tones[index] = stone.tone;
            }
        }
    }
    let slopes = slopes(&heights);
    let highest = heights.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    let texels = (0..SIDE * SIDE).map(|index| {
        let [east, south] = slopes[index];
        let height = (heights[index] / highest * 255.0 + 0.5) as u8;
        [east, south, height, tones[index]]
    });
    Grid::from_vec(SIDE, SIDE, texels.collect()).expect("one texel a place")
}

/// A pebble seen from above; lengths in texels.
struct Pebble {
    middle: [f32; 2],
    radius: f32,
    /// Unit vector along its longer side, and how much longer that is.
    along: [f32; 2],
    longer: f32,
    /// Height for a radius of 1.
    high: f32,
    /// Deviation of its outline from an ellipse, as a share of the radius, and the angle where it is.
    bump: [f32; 2],
    tone: u8,
}

impl Pebble {
    fn thrown(radius: f32, number: u64) -> Self {
        let random = |what: u64| hashed(number, 16 + what);
        let (sine, cosine) = libm::sincosf(std::f32::consts::TAU * random(0));
        Self {
            middle: [random(1), random(2)].map(|at| at * SIDE as f32),
            radius: radius * (0.85 + 0.3 * random(3)),
            along: [cosine, sine],
            longer: 1.0 + 0.45 * random(4),
            high: 0.45 + 0.35 * random(5),
            bump: [0.12 * random(6), std::f32::consts::TAU * random(7)],
            tone: (1.0 + 254.0 * random(8)) as u8,
        }
    }

    fn height(&self, place: [f32; 2]) -> f32 {
        let [x, y] = off(place, self.middle);
        let long = (x * self.along[0] + y * self.along[1]) / self.longer.sqrt();
        let short = (y * self.along[0] - x * self.along[1]) * self.longer.sqrt();
        let angle = libm::atan2f(short, long);
        let outline = 1.0 + self.bump[0] * libm::cosf(3.0 * angle + self.bump[1]);
        let away = long.hypot(short) / (self.radius * outline);
        // Rounder than a dome, with a flat top.
        self.high * self.radius * (1.0 - away * away * away).max(0.0).sqrt()
    }
}

/// The way to a place from another, on a texture that tiles.
fn off(place: [f32; 2], other: [f32; 2]) -> [f32; 2] {
    let side = SIDE as f32;
    [0, 1].map(|axis| {
        let way = place[axis] - other[axis];
        way - side * (way / side).round()
    })
}

/// Slopes of heights, see the module.
fn slopes(heights: &[f32]) -> Vec<[u8; 2]> {
    let at = |row: usize, column: usize| heights[row % SIDE * SIDE + column % SIDE];
    let slopes: Vec<[f32; 2]> = places()
        .map(|(row, column)| {
            [
                at(row, column + 1) - at(row, column + SIDE - 1),
                at(row + 1, column) - at(row + SIDE - 1, column),
            ]
        })
        .collect();
    let scale = deviation(slopes.iter().flatten().copied()) * SLOPES;
    let texels = slopes.iter();
    texels.map(|slope| slope.map(|s| byte(s / scale))).collect()
}

fn places() -> impl Iterator<Item = (usize, usize)> + Clone {
    (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (row, column)))
}

/// Random number 0…1 of a thing by its number.
fn hashed(number: u64, what: u64) -> f32 {
    unit((mix(number ^ mix(0x636C_6F73_6500 ^ what)) >> 32) as u32)
}
