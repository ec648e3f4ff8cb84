//! The speed of the noises: Perlin noise against writing the array once and against two crates,
//! square-square, wavelets and spectral synthesis against writing the array once; then a table of
//! the ratios beside their targets.

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, SamplingMode, Throughput};
use landform::fractal::instruction_set;
use landform::generate::{Generator, Inputs, Surface};
use landform::heightmap::{Heightmap, Heights};
use landform::job::Job;
use noise::{MultiFractal, NoiseFn};

const GROUP: &str = "noise";
const MEMSET: &str = "memset";
const SIMDNOISE: &str = "crate simdnoise";
const NOISE: &str = "crate noise";
const OCTAVES: u32 = 6;

/// Samples a side are 2^n + 1 for us and memset, 2^n for the peers, which are slow.
const ITERATIONS: u32 = 12;
const PEER_ITERATIONS: u32 = 9;

/// A generator on some threads, and how fast it is to be: at most so many times memset, at least
/// so many times as fast as the peers; 0 where nothing is asked.
struct Target {
    generator: Generator,
    threads: usize,
    memset: f64,
    simdnoise: f64,
    noise: f64,
}

impl Target {
    fn name(&self) -> String {
        format!("{}, {} threads", self.generator, self.threads)
    }
}

/// Fourier's 36 is what SciPy's `irfft2` with two workers takes for the transform alone.
#[rustfmt::skip]
const TARGETS: [Target; 8] = [
    Target { generator: Generator::Perlin, threads: 1, memset: 12.0, simdnoise: 20.0, noise: 60.0 },
    Target { generator: Generator::Perlin, threads: 2, memset: 7.0, simdnoise: 20.0, noise: 60.0 },
    Target { generator: Generator::SquareSquare, threads: 1, memset: 0.0, simdnoise: 0.0, noise: 0.0 },
    Target { generator: Generator::SquareSquare, threads: 2, memset: 12.0, simdnoise: 0.0, noise: 0.0 },
    Target { generator: Generator::Wavelet, threads: 1, memset: 0.0, simdnoise: 0.0, noise: 0.0 },
    Target { generator: Generator::Wavelet, threads: 2, memset: 12.0, simdnoise: 0.0, noise: 0.0 },
    Target { generator: Generator::Fourier, threads: 1, memset: 0.0, simdnoise: 0.0, noise: 0.0 },
    Target { generator: Generator::Fourier, threads: 2, memset: 36.0, simdnoise: 0.0, noise: 0.0 },
];

fn main() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/criterion");
    println!("row loops compiled for {}", instruction_set());
    let mut criterion = Criterion::default()
        .output_directory(&directory)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(4))
        .configure_from_args();
    let mut group = criterion.benchmark_group(GROUP);
    group.sampling_mode(SamplingMode::Flat).sample_size(30);
    measure(&mut group);
    measure_peers(&mut group);
    group.finish();
    criterion.final_summary();
    print_table(&directory.join(GROUP));
}

fn measure(group: &mut BenchmarkGroup<WallTime>) {
    let count = ((1 << ITERATIONS) + 1usize).pow(2);
    group.throughput(Throughput::Elements(count as u64));
    let mut heights = Heights::zeros(count).expect("memory for the map");
    group.bench_function(MEMSET, |bencher| {
        bencher.iter(|| black_box(&mut heights[..]).fill(black_box(1.5)));
    });
    let mut buffer = Some(heights);
    for target in &TARGETS {
        let mut surface = Surface {
            generator: target.generator,
            iterations: ITERATIONS,
            ..Surface::default()
        };
        surface.perlin.octaves = OCTAVES;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(target.threads);
        let pool = pool.build().expect("a thread pool");
        group.bench_function(target.name(), |bencher| {
            bencher.iter(|| {
                let reused = buffer.take();
                let generate = || surface.generate(&Inputs::default(), &Job::new(), reused);
                let map = pool.install(generate).expect("a map");
                buffer = Some(Heightmap::into_heights(black_box(map)));
            });
        });
    }
}

/// The same noise, 4 cells and 6 octaves, by other crates, on one thread as they are.
fn measure_peers(group: &mut BenchmarkGroup<WallTime>) {
    let side = 1usize << PEER_ITERATIONS;
    let cells_a_sample = 4.0 / side as f32;
    group.throughput(Throughput::Elements((side * side) as u64));
    group.bench_function(SIMDNOISE, |bencher| {
        bencher.iter(|| {
            simdnoise::NoiseBuilder::fbm_2d(side, side)
                .with_seed(black_box(0))
                .with_freq(cells_a_sample)
                .with_octaves(OCTAVES as u8)
                .generate()
        });
    });
    let fbm = noise::Fbm::<noise::Perlin>::new(0).set_octaves(OCTAVES as usize);
    let mut heights = vec![0.0f32; side * side];
    group.bench_function(NOISE, |bencher| {
        bencher.iter(|| {
            for (row, heights) in heights.chunks_exact_mut(side).enumerate() {
                for (column, height) in heights.iter_mut().enumerate() {
                    let at = |index: usize| index as f64 * f64::from(cells_a_sample);
                    *height = fbm.get([at(column), at(row)]) as f32;
                }
            }
            black_box(&heights);
        });
    });
}

/// Prints criterion's medians and their ratios; "MISS" beside a ratio that misses its target.
fn print_table(group: &Path) {
    // Nanoseconds a sample.
    let median = |name: &str, side: u32| -> f64 {
        // As criterion names its folders.
        let path = group.join(name).join("new").join("estimates.json");
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let estimates: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        let time = estimates["median"]["point_estimate"].as_f64();
        time.unwrap_or(f64::NAN) / f64::from(side).powi(2)
    };
    let side = (1 << ITERATIONS) + 1;
    let memset = median(MEMSET, side);
    let simdnoise = median(SIMDNOISE, 1 << PEER_ITERATIONS);
    let noise = median(NOISE, 1 << PEER_ITERATIONS);
    println!("\nmedians; wanted: × memset at most, × as fast as the peers at least");
    println!(
        "{:<25} {:>9} {:>18} {:>18} {:>18}",
        "", "ns/sample", "× memset", "× simdnoise", "× noise"
    );
    for (name, time) in [(MEMSET, memset), (SIMDNOISE, simdnoise), (NOISE, noise)] {
        println!("{name:<25} {time:>9.3}");
    }
    for target in &TARGETS {
        let time = median(&target.name(), side);
        let (most, least) = (time / memset, [simdnoise / time, noise / time]);
        println!(
            "{:<25} {time:>9.3} {:>18} {:>18} {:>18}",
            target.name(),
            verdict(most, "≤", target.memset, most <= target.memset),
            verdict(
                least[0],
                "≥",
                target.simdnoise,
                least[0] >= target.simdnoise
            ),
            verdict(least[1], "≥", target.noise, least[1] >= target.noise),
        );
    }
}

fn verdict(ratio: f64, sign: &str, wanted: f64, met: bool) -> String {
    if wanted == 0.0 {
        return format!("{ratio:.2}            ");
    }
    let word = if met { "    " } else { "MISS" };
    format!("{ratio:.2} {sign} {wanted:<4} {word}")
}
