//! The speed of every generator on a map of 4097² with one thread and with two, against writing
//! the array once; Perlin noise also against two crates. All are timed in turn, round after round,
//! and the quickest round counts.

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use landform::fractal::Edges;
use landform::fractal::Subdivision;
use landform::fractal::instruction_set;
use landform::fractal::region::{self, Region};
use landform::generate::image::Size;
use landform::generate::{Detail, Generator, Images, Surface};
use landform::heightmap::{Heightmap, Heights};
use landform::import::image;
use landform::job::Job;
use noise::{MultiFractal, NoiseFn};

mod rounds;
use rounds::{is_wanted, pool, quickest, time};

/// Samples a side are 2^n + 1 for us and memset, 2^n for the peers, which are slow.
const ITERATIONS: u32 = 12;
const PEER_ITERATIONS: u32 = 9;
const OCTAVES: u32 = 6;
/// What the generator `image` shows.
const IMAGE: &str = "builtin:jacksboro";
const ROUNDS: usize = 15;
/// Times as fast as the crates simdnoise and noise that Perlin noise is to be at least.
const SIMDNOISE: f64 = 20.0;
const NOISE: f64 = 60.0;

/// A map, and how long it may take with one thread and with two: so many times memset, and so
/// many milliseconds more.
struct Case {
    name: String,
    surface: Surface,
    limits: [Option<f64>; 2],
    more_ms: f64,
}

impl Case {
    fn new(generator: Generator, limits: [Option<f64>; 2]) -> Self {
        Self {
            name: generator.to_string(),
            surface: Surface {
                generator,
                iterations: ITERATIONS,
                ..Surface::default()
            },
            limits,
            more_ms: 0.0,
        }
    }

    fn with(mut self, name: &str, change: impl FnOnce(&mut Surface)) -> Self {
        self.name = format!("{}, {name}", self.name);
        change(&mut self.surface);
        self
    }

    /// Ten thousand cuts or rectangles.
    fn many(generator: Generator, name: &str, change: impl FnOnce(&mut Surface)) -> Self {
        let mut case = Self::new(generator, [None, Some(20.0)]).with(name, |surface| {
            surface.fault.count = 10_000;
            surface.random_deposition.count = 10_000;
            change(surface);
        });
        case.more_ms = 10.0;
        case
    }
}

/// Every generator but `midpoint-1d`, whose profile of 4097 samples takes no time. Fourier's 36 is
/// what SciPy's `irfft2` with two workers takes for the transform alone.
fn cases() -> Vec<Case> {
    let free = |surface: &mut Surface| {
        surface.fault.edges = Edges::Free;
        surface.random_deposition.edges = Edges::Free;
    };
    vec![
        Case::new(Generator::DiamondSquare, [Some(5.5), Some(3.5)]),
        Case::new(Generator::Midpoint, [None, None]),
        Case::new(Generator::SquareSquare, [None, Some(12.0)]),
        Case::new(Generator::SuccessiveRandomAdditions, [None, None]),
        Case::many(Generator::RandomDeposition, "10,000", |_| ()),
        Case::many(Generator::RandomDeposition, "10,000 free", free),
        Case::many(Generator::Fault, "10,000", |_| ()),
        Case::many(Generator::Fault, "10,000 free", free),
        Case::new(Generator::Perlin, [Some(12.0), Some(7.0)])
            .with("6 octaves", |surface| surface.perlin.octaves = OCTAVES),
        Case::new(Generator::Hill, [None, None]),
        Case::new(Generator::Fourier, [None, Some(36.0)]),
        Case::new(Generator::Wavelet, [None, Some(12.0)]),
        Case::new(Generator::Image, [None, None]).with("enlarged", |surface| {
            surface.input = Some(IMAGE.into());
            surface.image.size = Size::Resampled;
        }),
        Case::new(Generator::Formula, [None, None]),
    ]
}

fn main() {
    let side = (1usize << ITERATIONS) + 1;
    let samples = (side * side) as f64;
    println!("{side}², loops compiled for {}", instruction_set());
    println!(
        "{:<36} {:>9} {:>9} {:>9}",
        format!("quickest of {ROUNDS}"),
        "ms",
        "ns/sample",
        "× memset"
    );
    if is_wanted("region") {
        region();
        deep();
    }
    let pools = [pool(1), pool(2)];
    let mut images = Images::default();
    let picture = image(Path::new(IMAGE)).expect("an image");
    images.insert(IMAGE.into(), picture.into());
    let mut heights = Heights::zeros(side * side).expect("memory for the map");
    for case in cases().iter().filter(|case| is_wanted(&case.name)) {
        let mut memset = Vec::new();
        let mut times = [Vec::new(), Vec::new()];
        let mut peers = [Vec::new(), Vec::new()];
        for round in 0..ROUNDS {
            memset.push(time(|| black_box(&mut heights[..]).fill(black_box(1.5))));
            for (pool, times) in pools.iter().zip(&mut times) {
                let mut buffer = Some(heights);
                let mut map = None;
                times.push(time(|| {
                    let generate = || case.surface.generate(&images, &Job::new(), buffer.take());
                    map = Some(pool.install(generate).expect("a map"));
                }));
                heights = black_box(map).map(Heightmap::into_heights).expect("a map");
            }
            // Slow, and short: a third of the rounds are enough.
            if case.surface.generator == Generator::Perlin && round % 3 == 0 {
                peers[0].push(simdnoise());
                peers[1].push(noise());
            }
        }
        let memset = quickest(&memset);
        let peer_samples = f64::from(1 << (2 * PEER_ITERATIONS));
        let peers = peers.map(|times| quickest(&times) / peer_samples);
        for (threads, times) in (1..).zip(&times) {
            let (quickest, limit) = (quickest(times), case.limits[threads - 1]);
            let verdict = limit.map_or(String::new(), |limit| {
                let allowed = limit * memset + case.more_ms * 1e-3;
                let more = match case.more_ms {
                    0.0 => String::new(),
                    ms => format!(" + {ms} ms"),
                };
                format!("≤ {limit}{more} {}", word(quickest <= allowed))
            });
            println!(
                "{:<36} {:>9.1} {:>9.3} {:>9.2} {verdict}",
                format!("{}, threads: {threads}", case.name),
                quickest * 1e3,
                quickest / samples * 1e9,
                quickest / memset
            );
            for ((peer, name), limit) in peers
                .iter()
                .zip(["simdnoise", "noise"])
                .zip([SIMDNOISE, NOISE])
            {
                let ratio = peer / (quickest / samples);
                if ratio.is_finite() {
                    let word = word(ratio >= limit);
                    println!("    {ratio:.1} times as fast as {name} ≥ {limit} {word}");
                }
            }
        }
    }
}

/// A rectangle of 1025² of a map of 2^30 cells a side, against a whole map of 1025².
fn region() {
    let subdivision = |iterations| {
        let surface = Surface {
            iterations,
            ..Surface::default()
        };
        let options = &surface.diamond_square;
        let rule = options.rule(
            surface.seed,
            iterations,
            surface.hurst,
            surface.height_scale,
        );
        Subdivision::new(rule, options.corners, None)
    };
    let (small, planet) = (subdivision(10), subdivision(30));
    let place = Region {
        row: 700_000_001,
        column: 123_456_789,
        rows: 1025,
        columns: 1025,
    };
    let mut heights = vec![0.0; 1025 * 1025];
    let (mut whole, mut part) = (Vec::new(), Vec::new());
    pool(2).install(|| {
        for _ in 0..4 * ROUNDS {
            whole.push(time(|| {
                small.fill(&mut heights, &Job::new()).expect("a map")
            }));
            part.push(time(|| {
                let heights = region::heights(&planet, place, &Job::new()).expect("a map");
                black_box(heights);
            }));
        }
    });
    let (whole, part) = (quickest(&whole), quickest(&part));
    println!(
        "1025² of a map of 2^30: {:.2} ms, {:.1} × a whole map of 1025² ≤ 10 {}",
        part * 1e3,
        part / whole,
        word(part <= 10.0 * whole)
    );
}

/// A rectangle of 257² of the level 40 of a map, against one of its level 12.
fn deep() {
    let surface = Surface::default();
    let part = |level: u32| {
        let levels = level - surface.iterations;
        let made = surface.refinement(&Detail::default(), levels, &Images::default(), &Job::new());
        let place = Region {
            row: (1 << level) / 3,
            column: (1 << level) / 5,
            rows: 257,
            columns: 257,
        };
        (made.expect("a map").expect("diamond-square"), place)
    };
    let (shallow, deep) = (part(12), part(40));
    let (mut near, mut far) = (Vec::new(), Vec::new());
    pool(2).install(|| {
        for _ in 0..16 * ROUNDS {
            for ((from, place), times) in [(&shallow, &mut near), (&deep, &mut far)] {
                times.push(time(|| {
                    black_box(from.double(*place, &Job::new()).expect("heights"));
                }));
            }
        }
    });
    let (near, far) = (quickest(&near), quickest(&far));
    println!(
        "257² of level 40: {:.2} ms, {:.2} × one of level 12 ≤ 3 {}",
        far * 1e3,
        far / near,
        word(far <= 3.0 * near)
    );
}

fn word(met: bool) -> &'static str {
    if met { "" } else { "MISS" }
}

/// The same noise, 4 cells and 6 octaves, by other crates, on one thread as they are.
fn simdnoise() -> Duration {
    let side = 1usize << PEER_ITERATIONS;
    time(|| {
        let noise = simdnoise::NoiseBuilder::fbm_2d(side, side)
            .with_seed(black_box(0))
            .with_freq(4.0 / side as f32)
            .with_octaves(OCTAVES as u8)
            .generate();
        black_box(noise);
    })
}

fn noise() -> Duration {
    let side = 1usize << PEER_ITERATIONS;
    let fbm = noise::Fbm::<noise::Perlin>::new(0).set_octaves(OCTAVES as usize);
    let mut heights = vec![0.0f32; side * side];
    time(|| {
        for (row, heights) in heights.chunks_exact_mut(side).enumerate() {
            for (column, height) in heights.iter_mut().enumerate() {
                let at = |index: usize| index as f64 * (4.0 / side as f64);
                *height = fbm.get([at(column), at(row)]) as f32;
            }
        }
        black_box(&heights);
    })
}
