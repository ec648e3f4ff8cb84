//! Work asks often whether it is cancelled, wherever it is: every generator, every modifier and the
//! pipeline, at the largest sizes that the window offers. What a thread does between two questions
//! is measured in time on a processor, and told in that which a plain map takes: so neither a busy
//! machine nor a slow one changes anything.
#![cfg(target_os = "linux")]

use std::cell::Cell;
use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use landform::app::files::Priority;
use landform::export;
use landform::fractal::Edges;
use landform::generate::fault::Profile;
use landform::generate::perlin::Variant;
use landform::generate::{GenerateError, Generator, Images, Surface, image};
use landform::grid::Grid;
use landform::heightmap::Heightmap;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::mesh::Detail;
use landform::mesh::simplify::Simplified;
use landform::modify::blur::Shape;
use landform::modify::{Context, Modifier, ModifierKind as Kind, ModifyError};
use landform::pipeline::Pipeline;
use landform::scene::{RenderType, Scene};

const ITERATIONS: u32 = 12;
const SIDE: usize = (1 << ITERATIONS) + 1;
/// What a thread may do between two questions, in plain maps of that size.
const MOST: f64 = 2.0;
/// Work that does not end by itself is cancelled after so many plain maps.
const SPAN: u64 = 4;
/// A busy machine has slower processors for a while, but not every time.
const TRIES: usize = 4;

/// Lets one test run at a time, since they measure what processors do.
static MACHINE: Mutex<()> = Mutex::new(());

thread_local! {
    /// When this thread asked last, by its own time on a processor.
    static ASKED: Cell<u64> = const { Cell::new(0) };
}

/// How long this thread was on a processor, in nanoseconds.
fn worked() -> u64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse().unwrap()
}

fn pool() -> rayon::ThreadPool {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build();
    pool.unwrap()
}

/// What a plain map takes on all threads.
fn plain_map() -> u64 {
    static TAKES: LazyLock<u64> = LazyLock::new(|| {
        let surface = Surface {
            iterations: ITERATIONS,
            ..Surface::default()
        };
        let pool = pool();
        let all = || pool.broadcast(|_| worked()).iter().sum::<u64>();
        let before = all();
        let map = pool.install(|| surface.generate(&Images::default(), &Job::new(), None));
        drop(map.unwrap());
        all() - before
    });
    *TAKES
}

/// The most that a thread does between two questions, in plain maps, until `work` ends or is
/// cancelled.
fn longest(pool: &rayon::ThreadPool, work: &mut (impl FnMut(&Job) -> bool + Send)) -> f64 {
    let (longest, all) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let (most, sum) = (Arc::clone(&longest), Arc::clone(&all));
    let note = move || {
        let now = worked();
        let since = now - ASKED.replace(now);
        most.fetch_max(since, Ordering::Relaxed);
        sum.fetch_add(since, Ordering::Relaxed) + since
    };
    let span = SPAN * plain_map();
    let ask = note.clone();
    let job = Job::with_pauses(move |job| {
        if ask() > span {
            job.cancel();
        }
    });
    pool.broadcast(|_| ASKED.set(worked()));
    pool.install(|| work(&job));
    pool.broadcast(|_| note());
    longest.load(Ordering::Relaxed) as f64 / plain_map() as f64
}

#[track_caller]
fn check(name: &str, mut work: impl FnMut(&Job) -> bool + Send) {
    let pool = pool();
    let mut found = Vec::new();
    while found.len() < TRIES && found.last().is_none_or(|longest| *longest > MOST) {
        found.push(longest(&pool, &mut work));
    }
    assert!(
        found.last().is_some_and(|longest| *longest <= MOST),
        "{name}: {found:?}"
    );
}

fn inputs() -> Inputs {
    let mut inputs = Inputs::default();
    let pixels = (0..SIDE * SIDE).map(|index| (index * 37 % 65_521) as f32);
    let image = Grid::from_vec(SIDE, SIDE, pixels.collect()).unwrap();
    inputs.images.insert("large.png".into(), Arc::new(image));
    inputs
}

/// Every generator as it is by default, and with whatever takes longest.
fn surfaces() -> Vec<(String, Surface)> {
    let surface = |generator| Surface {
        generator,
        iterations: ITERATIONS,
        input: (generator == Generator::Image).then(|| "large.png".into()),
        ..Surface::default()
    };
    let mut all: Vec<(String, Surface)> = Generator::ALL
        .iter()
        .map(|generator| (generator.to_string(), surface(*generator)))
        .collect();
    let mut add = |name: &str, generator, change: &dyn Fn(&mut Surface)| {
        let mut surface = surface(generator);
        change(&mut surface);
        all.push((format!("{generator}, {name}"), surface));
    };
    add("known heights", Generator::DiamondSquare, &|s| {
        s.input = Some("large.png".into());
        s.diamond_square.input_level = 12;
    });
    add("known heights", Generator::Midpoint, &|s| {
        s.input = Some("large.png".into());
        s.midpoint.input_level = 12;
    });
    add("resampled", Generator::Image, &|s| {
        s.image.size = image::Size::Resampled;
    });
    add("free", Generator::SuccessiveRandomAdditions, &|s| {
        s.successive_random_additions.edges = Edges::Free;
    });
    add("most", Generator::RandomDeposition, &|s| {
        s.random_deposition.count = 1_000_000;
        s.random_deposition.max_size = 1.0;
    });
    for edges in [Edges::Wrap, Edges::Free] {
        for profile in [Profile::Step, Profile::Cosine, Profile::Ramp] {
            add(&format!("most {edges} {profile}"), Generator::Fault, &|s| {
                (s.fault.count, s.fault.width) = (100_000, 0.5);
                (s.fault.edges, s.fault.profile) = (edges, profile);
            });
        }
    }
    add("most", Generator::Hill, &|s| {
        (s.hill.count, s.hill.max_radius) = (1_000_000, 1.0);
    });
    add("powers", Generator::Hill, &|s| {
        (s.hill.count, s.hill.valley) = (1, 1.5);
    });
    add("most ridged", Generator::Perlin, &|s| {
        (s.perlin.cells, s.perlin.octaves) = (256, 9);
        s.perlin.variant = Variant::Ridged;
    });
    add("largest start", Generator::SquareSquare, &|s| {
        s.square_square.start_level = 8;
    });
    all
}

#[test]
fn every_generator_asks_often_to_go_on() {
    let _alone = crate::alone();
    let _alone = MACHINE.lock().unwrap_or_else(PoisonError::into_inner);
    let inputs = inputs();
    for (name, surface) in surfaces() {
        // A ridge has a row of samples, and is there at once.
        if surface.generator == Generator::Midpoint1d {
            continue;
        }
        let mut buffer = None;
        check(&name, |job| {
            match surface.generate(&inputs.images, job, buffer.take()) {
                Ok(map) => {
                    buffer = Some(map.into_heights());
                    job.is_cancelled()
                }
                Err(error) => {
                    assert!(
                        matches!(error, GenerateError::Cancelled(_)),
                        "{name}: {error}"
                    );
                    true
                }
            }
        });
    }
}

/// Every modifier as it is by default, and with whatever takes longest.
fn modifiers() -> Vec<(String, Modifier)> {
    let mut all: Vec<(String, Modifier)> = Kind::ALL
        .iter()
        .map(|kind| (kind.to_string(), Modifier::new(*kind)))
        .collect();
    let mut add = |kind: Kind, change: &dyn Fn(&mut Modifier)| {
        let mut modifier = Modifier::new(kind);
        change(&mut modifier);
        all.push((format!("{kind}, most"), modifier));
    };
    add(Kind::Blur, &|m| m.blur.radius = 0.5);
    add(Kind::Blur, &|m| {
        (m.blur.radius, m.blur.shape) = (0.5, Shape::Box);
    });
    add(Kind::PerlinBlend, &|m| {
        (m.perlin_blend.cells, m.perlin_blend.grids) = (256, 6);
    });
    add(Kind::DomainWarp, &|m| {
        (m.domain_warp.cells, m.domain_warp.grids) = (256, 6);
    });
    add(Kind::SmoothDetail, &|m| m.smooth_detail.passes = 64);
    add(Kind::Stitch, &|m| m.stitch.width = 0.5);
    add(Kind::Power, &|m| m.power.exponent = 1.7);
    all
}

#[test]
fn every_modifier_asks_often_to_go_on() {
    let _alone = crate::alone();
    let _alone = MACHINE.lock().unwrap_or_else(PoisonError::into_inner);
    let surface = Surface {
        iterations: ITERATIONS,
        ..Surface::default()
    };
    let map = surface.generate(&Images::default(), &Job::new(), None);
    let mut heights = map.unwrap().into_heights();
    for (name, modifier) in modifiers() {
        // Stitching leaves a map alone that wraps.
        let wraps = modifier.kind != Kind::Stitch;
        let mut spare = Some(heights);
        check(&name, |job| {
            let heights = spare.take().expect("handed back each time");
            let mut map = Heightmap::new(SIDE, SIDE, wraps, heights);
            let done = modifier.apply(&mut map, &Context::new(1, job));
            spare = Some(map.into_heights());
            match done {
                Ok(()) => job.is_cancelled(),
                Err(error) => {
                    assert!(
                        matches!(error, ModifyError::Cancelled(_)),
                        "{name}: {error}"
                    );
                    true
                }
            }
        });
        heights = spare.expect("handed back each time");
    }
}

#[test]
fn every_stage_of_the_pipeline_asks_often() {
    let _alone = crate::alone();
    let _alone = MACHINE.lock().unwrap_or_else(PoisonError::into_inner);
    let scene = |render_type: RenderType, change: &dyn Fn(&mut Scene)| {
        let mut scene = Scene::default();
        scene.view.render_type = render_type;
        scene.surface.iterations = 6;
        scene.clouds.iterations = 6;
        scene.teximage.iterations = 6;
        change(&mut scene);
        scene
    };
    let scenes = [
        (
            "clouds",
            scene(RenderType::Clouds, &|s| s.clouds.iterations = ITERATIONS),
        ),
        (
            "finer ground",
            scene(RenderType::Rendered, &|s| {
                s.teximage.iterations = ITERATIONS;
                s.modifiers = vec![Modifier::new(Kind::Blur), Modifier::new(Kind::Power)];
            }),
        ),
        (
            "a pass",
            scene(RenderType::Map, &|s| {
                s.surface.iterations = ITERATIONS;
                s.view.pass = Some(10.0);
            }),
        ),
        (
            "light",
            scene(RenderType::Triangles, &|s| {
                s.surface.iterations = ITERATIONS;
                (s.light.shadows, s.light.occlusion) = (true, true);
            }),
        ),
    ];
    for (name, scene) in scenes {
        check(name, |job| {
            match Pipeline::default().run(&scene, &Inputs::default(), job) {
                Ok(_) => job.is_cancelled(),
                Err(error) => {
                    assert!(
                        matches!(error, GenerateError::Cancelled(_)),
                        "{name}: {error}"
                    );
                    true
                }
            }
        });
    }
}

#[test]
fn a_file_of_any_format_asks_often() {
    let _alone = crate::alone();
    let _alone = MACHINE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    let mut scene = Scene::default();
    scene.surface.iterations = ITERATIONS;
    for format in crate::common::written_formats() {
        let path = folder.path().join("land");
        check(format.name, |job| {
            let options = export::Options {
                format: Some(format),
                ..export::Options::default()
            };
            let written = export::heightmap(&path, &scene, &Inputs::default(), options, job);
            // Small formats may be done before they are cancelled.
            for done in [&path, &folder.path().join("land.json")] {
                drop(std::fs::remove_file(done));
            }
            written.is_err()
        });
        assert_eq!(folder.path().read_dir().unwrap().count(), 0, "leftovers");
    }
}

#[test]
fn simplifying_asks_often_to_go_on() {
    let _alone = crate::alone();
    let _alone = MACHINE.lock().unwrap_or_else(PoisonError::into_inner);
    let surface = Surface {
        iterations: ITERATIONS,
        ..Surface::default()
    };
    let map = surface
        .generate(&Images::default(), &Job::new(), None)
        .unwrap();
    for detail in [Detail::Error(0.001), Detail::Triangles(500_000)] {
        check("simplifying", |job| {
            Simplified::new(&map, detail, job).is_err()
        });
    }
}

#[test]
fn job_yields_to_others_but_not_forever() {
    let way = Priority::default();
    let job = way.job();
    let going = way.go_first();
    // Nobody stops going, and it comes back all the same.
    job.share(0, 2).part().check().unwrap();
    job.cancel();
    assert!(job.check().is_err());
    drop(going);
}

#[test]
fn job_continues_when_nobody_goes_first() {
    let way = Priority::default();
    let job = way.job();
    job.check().unwrap();
    drop(way.go_first());
    job.check().unwrap();
}
