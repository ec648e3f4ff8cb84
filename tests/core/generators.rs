//! What every generator must do, and cases of each worked out by hand.

use std::sync::Arc;

use landform::fractal::Edges;
use landform::generate::fault::Profile;
use landform::generate::hill::Placement;
use landform::generate::{GenerateError, Generator, Images, Surface};
use landform::grid::Grid;
use landform::heightmap::Heightmap;
use landform::job::Job;
use landform::measure::measure;

fn inputs() -> Images {
    let mut inputs = Images::default();
    let brightness = (0..20 * 30).map(|i| ((i * 37) % 256) as f32).collect();
    let image = Grid::from_vec(20, 30, brightness).unwrap();
    inputs.insert("grey.png".into(), Arc::new(image));
    inputs
}

fn surface(generator: Generator, seed: u64, iterations: u32) -> Surface {
    Surface {
        generator,
        seed,
        iterations,
        input: (generator == Generator::Image).then(|| "grey.png".into()),
        ..Surface::default()
    }
}

fn map_of(surface: &Surface) -> Heightmap {
    surface.generate(&inputs(), &Job::new(), None).unwrap()
}

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().unwrap().install(work)
}

#[track_caller]
fn check_wraps(map: &Heightmap) {
    let (rows, columns) = (map.rows(), map.columns());
    assert_eq!(map.row(0), map.row(rows - 1));
    for row in 0..rows {
        assert_eq!(map.at(row, 0), map.at(row, columns - 1), "row {row}");
    }
}

#[test]
fn generators_are_bit_identical_on_any_threads() {
    for &generator in Generator::ALL {
        for iterations in [1, 5, 8] {
            let surface = surface(generator, 11, iterations);
            let one = with_threads(1, || map_of(&surface));
            for threads in [2, 5] {
                let many = with_threads(threads, || map_of(&surface));
                assert_eq!(one, many, "{generator}, {threads} threads");
            }
        }
    }
}

#[test]
fn maps_claiming_to_wrap_do_and_stay_finite() {
    for &generator in Generator::ALL {
        for iterations in 1..=7 {
            for hurst in [0.0, 1.0] {
                let mut surface = surface(generator, 3, iterations);
                surface.hurst = hurst;
                let map = map_of(&surface);
                assert!(map.heights().iter().all(|h| h.is_finite()), "{generator}");
                if map.wraps() {
                    check_wraps(&map);
                }
                let cells = 1 << iterations;
                if generator != Generator::Image {
                    assert_eq!(map.columns(), cells + 1, "{generator}");
                }
            }
        }
    }
}

#[test]
fn seeds_and_height_scales_matter() {
    for &generator in Generator::ALL {
        if generator == Generator::Image {
            continue;
        }
        let first = map_of(&surface(generator, 1, 6));
        // A formula draws nothing at random.
        let same = first == map_of(&surface(generator, 2, 6));
        assert_eq!(same, generator == Generator::Formula, "{generator}");
        let mut flat = surface(generator, 1, 6);
        flat.height_scale = 0.0;
        let flat = map_of(&flat).range();
        assert_eq!(flat, (0.0, 0.0), "{generator}");
    }
}

#[test]
fn a_reused_buffer_changes_no_bit() {
    for &generator in Generator::ALL {
        let surface = surface(generator, 5, 6);
        let fresh = map_of(&surface);
        let dirty = vec![f32::NAN; fresh.heights().len()];
        let reused = surface.generate(&inputs(), &Job::new(), Some(dirty.into()));
        assert_eq!(fresh, reused.unwrap(), "{generator}");
    }
}

#[test]
fn a_cancelled_job_ends_in_cancelled() {
    for &generator in Generator::ALL {
        if matches!(generator, Generator::Image | Generator::Midpoint1d) {
            continue;
        }
        let job = Job::new();
        job.cancel();
        let result = surface(generator, 5, 9).generate(&inputs(), &job, None);
        assert!(
            matches!(result, Err(GenerateError::Cancelled(_))),
            "{generator}"
        );
    }
}

#[test]
fn finished_work_is_all_done() {
    for &generator in Generator::ALL {
        for iterations in [3, 10] {
            let job = Job::new();
            let surface = surface(generator, 1, iterations);
            surface.generate(&inputs(), &job, None).unwrap();
            assert_eq!(job.progress(), 1.0, "{generator}");
        }
    }
}

/// Mean over many seeds of the mean height of the border, the middle and the four quadrants,
/// less that of the whole, in standard errors.
#[track_caller]
fn check_no_bias(generator: Generator, change: impl Fn(&mut Surface)) {
    const SEEDS: u64 = 200;
    let regions = |map: &Heightmap| -> [f64; 6] {
        let side = map.rows();
        let mean = |inside: &dyn Fn(usize, usize) -> bool| {
            let (mut sum, mut count) = (0.0, 0.0);
            for row in 0..side {
                for column in 0..side {
                    if inside(row, column) {
                        sum += f64::from(map.at(row, column));
                        count += 1.0;
                    }
                }
            }
            sum / count
        };
        let whole = mean(&|_, _| true);
        let (half, last) = (side / 2, side - 1);
        let quarter = side / 4;
        let middle = quarter..=last - quarter;
        [
            mean(&|r, c| r == 0 || c == 0 || r == last || c == last) - whole,
            mean(&|r, c| middle.contains(&r) && middle.contains(&c)) - whole,
            mean(&|r, c| r < half && c < half) - whole,
            mean(&|r, c| r < half && c > half) - whole,
            mean(&|r, c| r > half && c < half) - whole,
            mean(&|r, c| r > half && c > half) - whole,
        ]
    };
    let mut samples = Vec::new();
    for seed in 0..SEEDS {
        let mut surface = surface(generator, seed, 5);
        change(&mut surface);
        samples.push(regions(&map_of(&surface)));
    }
    for region in 0..6 {
        let count = SEEDS as f64;
        let mean = samples.iter().map(|s| s[region]).sum::<f64>() / count;
        let squares = samples.iter().map(|s| (s[region] - mean).powi(2));
        let error = (squares.sum::<f64>() / count / count).sqrt();
        // Six regions of a dozen generators: 4.5 standard errors come up once in 2,000 runs,
        // and the seeds are fixed.
        assert!(
            mean.abs() < 4.5 * error,
            "{generator}, region {region}: {mean} ± {error}"
        );
    }
}

#[test]
fn no_generator_favours_border_middle_or_a_quadrant() {
    for &generator in Generator::ALL {
        let other = [Generator::Image, Generator::Midpoint1d, Generator::Formula];
        if other.contains(&generator) {
            continue;
        }
        check_no_bias(generator, |surface| {
            // Subdivision keeps its corners where they are set, so they take no part; hills are
            // summed as they are, for normalising maps with few hills bends their mean.
            surface.hill.normalize = false;
            surface.midpoint.edges = Edges::Wrap;
        });
    }
}

#[test]
fn more_iterations_move_no_point_of_midpoint() {
    for edges in [Edges::Free, Edges::Wrap] {
        let mut coarse = surface(Generator::Midpoint, 9, 4);
        coarse.midpoint.edges = edges;
        let mut fine = coarse.clone();
        fine.iterations = 7;
        let (coarse, fine) = (map_of(&coarse), map_of(&fine));
        for row in 0..17 {
            for column in 0..17 {
                assert_eq!(coarse.at(row, column), fine.at(row * 8, column * 8));
            }
        }
    }
}

#[test]
fn midpoints_are_means_of_their_ends_without_displacement() {
    // With H = 1 and tiny A only corners matter; scaled by known corners through an image.
    let mut inputs = Images::default();
    let corners = Grid::from_vec(2, 2, vec![0.0, 1.0, 2.0, 3.0]).unwrap();
    inputs.insert("corners".into(), Arc::new(corners));
    let mut surface = surface(Generator::Midpoint, 1, 2);
    surface.input = Some("corners".into());
    surface.input_low = 0.0;
    surface.input_high = 3.0;
    surface.midpoint.input_level = 2;
    let map = surface.generate(&inputs, &Job::new(), None).unwrap();
    // Bilinear between the image's four samples, and exactly so at every known point.
    for row in 0..5 {
        for column in 0..5 {
            let expected = column as f32 * 0.25 + row as f32 * 0.5;
            assert!((map.at(row, column) - expected).abs() < 1e-6);
        }
    }
}

#[test]
fn successive_random_additions_show_h_at_larger_lags() {
    for h in [0.3, 0.6, 0.9] {
        let mut sum = 0.0;
        for seed in 0..6 {
            let mut surface = surface(Generator::SuccessiveRandomAdditions, seed, 10);
            surface.hurst = h;
            let found = landform::measure::variations(&map_of(&surface));
            // On a lattice of lag 2^j the finer additions are white noise, of which the coarse
            // lattices see more: the variation grows as 2^(2Hj)·(1 + c − c·2^(−2Hj)), too fast
            // at first. So only lags from 8 on count.
            sum += landform::measure::hurst(&found[3..]).unwrap();
        }
        assert!(
            (sum / 6.0 - f64::from(h)).abs() < 0.12,
            "{h}: {}",
            sum / 6.0
        );
    }
}

#[test]
fn one_rectangle_is_one_raised_rectangle() {
    let mut surface = surface(Generator::RandomDeposition, 4, 5);
    surface.random_deposition.count = 1;
    for edges in [Edges::Wrap, Edges::Free] {
        surface.random_deposition.edges = edges;
        for seed in 0..40 {
            surface.seed = seed;
            let map = map_of(&surface);
            let (low, high) = map.range();
            assert!(map.heights().iter().all(|h| *h == low || *h == high));
            let raised = |row: usize| map.row(row).iter().filter(|h| **h == high).count();
            let rows: Vec<usize> = (0..33).map(raised).filter(|count| *count > 0).collect();
            assert!(!rows.is_empty() && rows.iter().all(|count| *count == rows[0]));
        }
    }
}

#[test]
fn one_free_fault_is_a_straight_scarp() {
    let mut surface = surface(Generator::Fault, 0, 6);
    surface.fault.count = 1;
    surface.fault.edges = Edges::Free;
    for seed in 0..40 {
        surface.seed = seed;
        let map = map_of(&surface);
        let (low, high) = map.range();
        assert!(low < high && map.heights().iter().all(|h| *h == low || *h == high));
        // Each side of a straight line is convex: along any row the height changes once at most.
        for row in 0..65 {
            let changes = map.row(row).windows(2).filter(|pair| pair[0] != pair[1]);
            assert!(changes.count() <= 1, "seed {seed}, row {row}");
        }
    }
}

#[test]
fn gentle_faults_have_no_scarp_and_keep_range() {
    for profile in [Profile::Ramp, Profile::Cosine] {
        for edges in [Edges::Free, Edges::Wrap] {
            let mut surface = surface(Generator::Fault, 2, 7);
            surface.fault.count = 1;
            surface.fault.edges = edges;
            let step = map_of(&surface).range();
            surface.fault.profile = profile;
            surface.fault.width = 0.2;
            for seed in 0..10 {
                surface.seed = seed;
                let map = map_of(&surface);
                let steepest = map
                    .heights()
                    .chunks(map.columns())
                    .flat_map(|row| row.windows(2).map(|pair| (pair[1] - pair[0]).abs()))
                    .fold(0.0, f32::max);
                let span = step.1 - step.0;
                assert!(
                    steepest < span * 0.25,
                    "{profile}, {edges}: {steepest} of {span}"
                );
            }
        }
    }
}

#[test]
fn a_hill_is_the_paraboloid_of_the_article() {
    let mut surface = surface(Generator::Hill, 8, 7);
    surface.hill.count = 1;
    surface.hill.placement = Placement::Island;
    surface.hill.min_radius = 0.25;
    surface.hill.max_radius = 0.25;
    surface.hill.normalize = false;
    let map = map_of(&surface);
    let peak = map.range().1;
    assert!((peak - 0.0625).abs() < 1e-3, "{peak}");
    // Second differences of r² − d² are −2 (spacing in fractions: 1/128) wherever it is above 0.
    for row in 0..129 {
        for column in 1..128 {
            let triple = [
                map.at(row, column - 1),
                map.at(row, column),
                map.at(row, column + 1),
            ];
            if triple.iter().all(|h| *h > 0.0) {
                let second = (triple[0] - 2.0 * triple[1] + triple[2]) * 128.0 * 128.0;
                assert!((second + 2.0).abs() < 0.05, "{second}");
            }
        }
    }
    for side in [map.row(0), map.row(128)] {
        assert!(
            side.iter().all(|h| *h == 0.0),
            "the island stays off the border"
        );
    }
}

#[test]
fn normalised_hills_span_nothing_to_the_height_scale() {
    let mut surface = surface(Generator::Hill, 8, 7);
    surface.height_scale = 0.5;
    for placement in Placement::ALL {
        surface.hill.placement = *placement;
        assert_eq!(map_of(&surface).range(), (0.0, 0.5));
    }
}

#[test]
fn steeper_settings_are_refused_in_one_line() {
    type Change = fn(&mut Surface);
    let cases: [(Change, &str); 7] = [
        (|s| s.random_deposition.count = 0, "random_deposition.count"),
        (
            |s| s.random_deposition.min_size = 0.5,
            "random_deposition.min_size",
        ),
        (|s| s.fault.count = 0, "fault.count"),
        (|s| s.fault.width = -0.1, "fault.width"),
        (|s| s.hill.min_radius = 0.3, "hill.min_radius"),
        (|s| s.hill.max_radius = f32::NAN, "hill.max_radius"),
        (|s| s.hill.valley = 0.0, "hill.valley"),
    ];
    for (change, key) in cases {
        let mut surface = surface(Generator::Hill, 0, 4);
        change(&mut surface);
        let error = surface.generate(&inputs(), &Job::new(), None).unwrap_err();
        let message = error.to_string();
        assert!(
            message.contains(key) && !message.contains('\n'),
            "{message}"
        );
    }
}

#[test]
fn rough_maps_have_roughly_diamond_square_relief() {
    let std = |generator| measure(&map_of(&surface(generator, 21, 8))).std;
    for generator in [
        Generator::Midpoint,
        Generator::SuccessiveRandomAdditions,
        Generator::RandomDeposition,
        Generator::Fault,
    ] {
        let found = std(generator);
        assert!((0.1..1.0).contains(&found), "{generator}: {found}");
    }
}

#[test]
fn options_choose_their_generator() {
    let options = landform::generate::hill::HillOptions::default();
    let chosen = Surface {
        iterations: 5,
        ..options.into()
    };
    assert_eq!(map_of(&chosen), map_of(&surface(Generator::Hill, 0, 5)));
}
