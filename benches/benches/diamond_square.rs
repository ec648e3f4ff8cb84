//! The speed of diamond-square: against writing the array once, against its own plain loop, and
//! against another crate; then a table of the ratios beside their targets.
//!
//! The figures mean something only while the machine does nothing else: with every core busy, two
//! threads are no faster than one.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};
use diamond_square::DiamondSquare;
use landform::fractal::{self, Subdivision, instruction_set};
use landform::generate::diamond_square::DiamondSquareOptions;
use landform::heightmap::Heights;
use landform::job::Job;
use rayon::ThreadPool;

const GROUP: &str = "diamond-square";
const MEMSET: &str = "memset";
const SCALAR: &str = "scalar loop";
const PEER: &str = "crate diamond-square";
const ONE_THREAD: &str = "landform, 1 thread";
const TWO_THREADS: &str = "landform, 2 threads";

/// How fast it is to be: at most so many times memset, at least so many times as fast as the
/// scalar loop and as the peer.
struct Target {
    name: &'static str,
    iterations: u32,
    memset: f64,
    scalar: f64,
    peer: Option<f64>,
}

#[rustfmt::skip]
const TARGETS: [Target; 4] = [
    Target { name: ONE_THREAD, iterations: 12, memset: 5.5, scalar: 3.5, peer: None },
    Target { name: TWO_THREADS, iterations: 12, memset: 3.5, scalar: 6.0, peer: Some(30.0) },
    Target { name: ONE_THREAD, iterations: 13, memset: 5.0, scalar: 3.5, peer: None },
    Target { name: TWO_THREADS, iterations: 13, memset: 3.0, scalar: 6.0, peer: Some(30.0) },
];

fn main() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/criterion");
    println!("row loops compiled for {}", instruction_set());
    let mut criterion = Criterion::default()
        .output_directory(&directory)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(4))
        .configure_from_args();
    for iterations in [10, 12, 13] {
        measure(&mut criterion, iterations);
    }
    criterion.final_summary();
    print_table(&directory.join(GROUP));
}

fn measure(criterion: &mut Criterion, iterations: u32) {
    let subdivision = Subdivision::new(
        DiamondSquareOptions::default().rule(0, iterations, 0.7, 1.0),
        [0.0; 4],
        None,
    );
    let count = subdivision.side() * subdivision.side();
    let mut heights = Heights::zeros(count).expect("memory for the map");
    let mut group = criterion.benchmark_group(GROUP);
    group.throughput(Throughput::Elements(count as u64));
    group.sampling_mode(SamplingMode::Flat).sample_size(30);

    group.bench_function(BenchmarkId::new(MEMSET, iterations), |bencher| {
        bencher.iter(|| black_box(&mut heights[..]).fill(black_box(1.5)));
    });
    for (name, threads) in [(ONE_THREAD, 1), (TWO_THREADS, 2)] {
        let pool = pool(threads);
        group.bench_function(BenchmarkId::new(name, iterations), |bencher| {
            let mut fill = || subdivision.fill(black_box(&mut heights), &Job::new());
            bencher.iter(|| pool.install(&mut fill));
        });
    }
    group.sample_size(10);
    group.bench_function(BenchmarkId::new(SCALAR, iterations), |bencher| {
        bencher.iter(|| fractal::fill(&subdivision, black_box(&mut heights)));
    });
    drop(heights);
    // Slow, and it makes its array anew each time: its users cannot avoid that. Once a sample.
    group.measurement_time(Duration::from_millis(1));
    group.bench_function(BenchmarkId::new(PEER, iterations), |bencher| {
        let peer = DiamondSquare::default().with_iteration(iterations);
        let corner = ndarray::arr2(&[[1.0]]);
        bencher.iter_custom(|times| {
            let _quiet = gag::Gag::stdout();
            let start = Instant::now();
            for _ in 0..times {
                black_box(peer.enlarge(black_box(corner.view())));
            }
            start.elapsed()
        });
    });
}

fn pool(threads: usize) -> ThreadPool {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().expect("a thread pool")
}

/// Prints criterion's medians and their ratios; "missed" beside a ratio that misses its target.
fn print_table(group: &Path) {
    let median = |name: &str, iterations: u32| -> Option<f64> {
        // As criterion names its folders.
        let folder: PathBuf = [name, &iterations.to_string(), "new", "estimates.json"]
            .iter()
            .collect();
        let text = std::fs::read_to_string(group.join(folder)).ok()?;
        let estimates: serde_json::Value = serde_json::from_str(&text).ok()?;
        estimates["median"]["point_estimate"].as_f64()
    };
    println!("\nmedians; wanted: × memset at most, × as fast as scalar loop and peer at least");
    println!(
        "{:<11} {:<21} {:>9} {:>20} {:>20} {:>20}",
        "map", "", "ns/sample", "× memset       ", "× scalar       ", "× peer         "
    );
    for iterations in [10, 12, 13] {
        let side = (1u32 << iterations) + 1;
        for name in [MEMSET, PEER, SCALAR, ONE_THREAD, TWO_THREADS] {
            let Some(time) = median(name, iterations) else {
                continue;
            };
            let target = TARGETS
                .iter()
                .find(|target| (target.name, target.iterations) == (name, iterations));
            let versus = |other: &str| median(other, iterations).unwrap_or(f64::NAN);
            println!(
                "{:<11} {name:<21} {:>9.3} {:>20} {:>20} {:>20}",
                format!("{side}²"),
                time / f64::from(side).powi(2),
                verdict(
                    time / versus(MEMSET),
                    target.map(|target| Limit::AtMost(target.memset))
                ),
                verdict(
                    versus(SCALAR) / time,
                    target.map(|target| Limit::AtLeast(target.scalar))
                ),
                verdict(
                    versus(PEER) / time,
                    target.and_then(|target| target.peer).map(Limit::AtLeast)
                ),
            );
        }
    }
}

/// What a ratio is to be.
enum Limit {
    AtMost(f64),
    AtLeast(f64),
}

/// A ratio, its target if it has one, and whether it misses that.
fn verdict(ratio: f64, limit: Option<Limit>) -> String {
    let (sign, wanted, met) = match limit {
        None => return format!("{ratio:.2}{:13}", ""),
        Some(Limit::AtMost(wanted)) => ("≤", wanted, ratio <= wanted),
        Some(Limit::AtLeast(wanted)) => ("≥", wanted, ratio >= wanted),
    };
    let word = if met { "" } else { "missed" };
    format!("{ratio:.2} {sign} {wanted:<3} {word:6}")
}
