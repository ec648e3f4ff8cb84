//! The speed of drawing, at 1280×720, against the targets that Landform set itself: as ratios of
//! what is timed in turn, the quickest of several rounds; times in milliseconds beside them.
//!
//! Software drivers take their threads from LP_NUM_THREADS; `make bench-render` gives them two.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use landform::app::picture::frame_budget::{FrameBudget, STEPS};
use landform::job::Job;
use landform::pipeline::{Landscape, Pipeline, StageDone};
use landform::render::{
    Distances, GroundPath, Headless, Rates, RenderRequest, Renderer, TiledRender,
};
use landform::scene::{RenderType, Scene};

mod distances;
mod endless;
mod landscapes;
#[path = "../rounds/mod.rs"]
mod rounds;
mod thumbnails;
use rounds::{is_wanted, pool, quickest, time};

const SIZE: (u32, u32) = (1280, 720);
const THREADS: usize = 2;
const ROUNDS: usize = 9;
/// Drawing a mesh whole takes seconds.
const WHOLE_ROUNDS: usize = 2;
/// Near the ground, at a hill, from far above.
const VIEWS: [(&str, &str); 3] = [
    (
        "ground",
        "camera.mode=fly camera.target=[0.0,0.35,-0.5] camera.distance=0.5 camera.pitch=6",
    ),
    ("hill", "camera.distance=1.5 camera.pitch=20"),
    ("overview", "camera.distance=7 camera.pitch=35"),
];
/// Smooth ground, which 1 pixel of error is stated for, and rough.
const HILLS: &str = "surface.hurst=1 surface.height_scale=0.4";
const CRAGS: &str = "surface.hurst=0.7 surface.height_scale=0.45";
const LIGHT: &str = "light.shadows=true light.occlusion=true light.elevation=25";
const UNLIT: &str = "light.shadows=false light.occlusion=false light.elevation=25";

fn scene(settings: &str) -> Scene {
    settings
        .split_whitespace()
        .fold(Scene::default(), |scene, setting| {
            let (key, value) = setting.split_once('=').expect("key=value");
            scene.with(key, value).expect("a valid setting")
        })
}

/// Context, renderer and pipeline of all that is measured.
struct Desk {
    headless: Headless,
    renderer: Renderer,
    pipeline: Pipeline,
}

impl Desk {
    fn new() -> Self {
        let headless = Headless::new().expect("OpenGL 3.3");
        let renderer = Renderer::new(headless.facade()).expect("a renderer");
        let pipeline = Pipeline::default();
        Self {
            headless,
            renderer,
            pipeline,
        }
    }

    fn make(&mut self, scene: &Scene) -> Landscape {
        let inputs = landform::import::inputs(scene).expect("the files of the scene");
        let made = self.pipeline.run(scene, &inputs, &Job::new());
        made.expect("a landscape")
    }

    fn upload(&mut self, scene: &Scene) {
        let landscape = self.make(scene);
        let facade = self.headless.facade();
        self.renderer.update(facade, &landscape).expect("an upload");
    }

    /// Uploads it for that way of finding its ground.
    fn use_way(&mut self, way: GroundPath, landscape: &Landscape) {
        self.renderer.set_way(way);
        let facade = self.headless.facade();
        self.renderer.update(facade, landscape).expect("an upload");
    }

    /// How far away the ground is, as it is drawn.
    fn distances(&mut self, scene: &Scene) -> Distances {
        let drawn = (self.renderer).distances(self.headless.facade(), scene, SIZE);
        drawn.expect("distances")
    }

    /// Draws and waits until the picture is there.
    fn draw(&mut self, scene: &Scene) -> Duration {
        self.draw_sized(scene, SIZE)
    }

    fn draw_sized(&mut self, scene: &Scene, size: (u32, u32)) -> Duration {
        let facade = self.headless.facade();
        let started = Instant::now();
        self.renderer.draw(facade, scene, size).expect("a picture");
        self.renderer.finish();
        started.elapsed()
    }

    fn quickest(&mut self, scene: &Scene, rounds: usize) -> f64 {
        self.quickest_sized(scene, SIZE, rounds)
    }

    fn quickest_sized(&mut self, scene: &Scene, size: (u32, u32), rounds: usize) -> f64 {
        self.draw_sized(scene, size);
        let times: Vec<_> = (0..rounds).map(|_| self.draw_sized(scene, size)).collect();
        quickest(&times)
    }
}

/// The name of a part, and what it measures.
type Part = (&'static str, fn(&mut Desk));

fn main() {
    let threads = std::env::var("LP_NUM_THREADS").unwrap_or_else(|_| "all".to_owned());
    println!("{SIZE:?}, {threads} threads of a software driver, {THREADS} of ours");
    pool(THREADS).install(|| {
        let mut desk = Desk::new();
        let parts: [Part; 19] = [
            ("planes", distances::planes),
            ("detail", distances::detail),
            ("landscape", landscapes::ways),
            ("parts", landscapes::parts),
            ("rivers", landscapes::rivers),
            ("plants", landscapes::plants),
            ("snow", landscapes::snow),
            ("large", landscapes::large),
            ("endless", endless::depths),
            ("dive", endless::dive),
            ("looks", endless::looks),
            ("close", endless::close),
            ("edit", edit),
            ("drag", drag),
            ("flight", flight),
            ("4k", four_k),
            ("thumbnails", thumbnails::nine),
            ("start", start),
            ("memory", memory),
        ];
        for (name, part) in parts {
            if is_wanted(name) {
                part(&mut desk);
            }
        }
    });
}

fn ground(kind: &str, iterations: u32) -> String {
    format!(
        "surface.iterations={iterations} view.tile=3 view.render_type=triangles \
         view.antialias=false {kind}"
    )
}

/// Every step from a new seed to its picture, as the scene says and as the window shows it first.
fn edit(desk: &mut Desk) {
    println!("\nedit, 1025²: picture up within 100 ms; upload, normals, light together in 60 ms");
    const MOST: f64 = 0.55;
    for (settings, lit) in [(UNLIT, "without"), (LIGHT, "with")] {
        let ways = [GroundPath::Raster, GroundPath::RayCast];
        let mut full = Vec::new();
        for (way, automatic) in ways.into_iter().flat_map(|way| [(way, false), (way, true)]) {
            desk.renderer.set_way(way);
            let mut scene = scene(&format!("{} {settings}", ground(CRAGS, 10)));
            scene.view.antialias = true;
            let edits = (0..2 * ROUNDS as u64).map(|seed| {
                scene.surface.seed = seed;
                scene.clone()
            });
            let mut pace = FrameBudget::default();
            let best = edits.map(|scene| an_edit(desk, &scene, automatic, &mut pace));
            let (time, line) = best.min_by_key(|(time, _)| *time).expect("one");
            let picture = if automatic { "automatic" } else { "full" };
            println!("{line} {lit} shadows and occlusion, {picture} detail, {way:?}");
            if !automatic {
                full.push(time.as_secs_f64());
            }
        }
        println!(
            "  {:.2} × the time with triangles, at most {MOST}{}",
            full[1] / full[0],
            missed(full[1] <= MOST * full[0])
        );
    }
}

/// The time that one takes, and a line about it.
fn an_edit(
    desk: &mut Desk,
    scene: &Scene,
    automatic: bool,
    pace: &mut FrameBudget,
) -> (Duration, String) {
    let started = Instant::now();
    let mut last = started;
    let mut lap = || {
        let now = Instant::now();
        now - std::mem::replace(&mut last, now)
    };
    let (mut light, mut heights) = (Duration::ZERO, Duration::ZERO);
    let (inputs, job) = (landform::inputs::Inputs::default(), Job::new());
    let mut observe = |done| match done {
        StageDone::Sky | StageDone::Sun => light += lap(),
        _ => heights += lap(),
    };
    let made = desk
        .pipeline
        .run_observed(scene, &inputs, &job, &mut observe);
    let landscape = made.expect("a landscape");
    lap();
    let facade = desk.headless.facade();
    desk.renderer.update(facade, &landscape).expect("an upload");
    desk.renderer.finish();
    let upload = lap();
    // The pipeline fills the same memory again.
    drop(landscape);
    let step = if automatic { pace.step() } else { 0 };
    let (reduced, size) = STEPS[step].applied(scene, SIZE);
    let first = desk.draw_sized(&reduced, size);
    let total = started.elapsed();
    let again = desk.draw_sized(&reduced, size);
    pace.note(step, again);
    let normals = first.saturating_sub(again);
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let line = format!(
        "  {:>5.1} ms: heights {:.1}, drawing {:.1}, the rest {:.1} (light {:.1}, upload {:.1}, \
         normals {:.1})",
        ms(total),
        ms(heights),
        ms(first - normals),
        ms(light + upload + normals),
        ms(light),
        ms(upload),
        ms(normals),
    );
    (total, line)
}

/// Settings that are dragged: every picture has another value, and its time includes all that is computed for that.
/// The window does the two at the same time, here they come in turn.
fn drag(desk: &mut Desk) {
    println!("\ndrag, 1025², automatic detail: 20 pictures a second, 95 % of them within 50 ms");
    let base = format!(
        "{} {LIGHT} view.render_type=landscape view.antialias=true water.enabled=true water.level=0.05 \
         fog.enabled=true {}",
        ground(CRAGS, 10),
        VIEWS[1].1
    );
    const PALETTES: [&str; 3] = ["alpine", "desert", "island"];
    let settings: [(&str, fn(usize) -> String); 4] = [
        ("light.bearing", |frame| format!("{}", 40 + frame)),
        ("view.palette", |frame| PALETTES[frame % 3].to_owned()),
        ("water.level", |frame| {
            format!("{}", 0.05 + 0.001 * frame as f32)
        }),
        ("fog.density", |frame| {
            format!("{}", 0.5 + 0.02 * frame as f32)
        }),
    ];
    for (key, value) in settings {
        let base = scene(&base);
        desk.upload(&base);
        let mut pace = FrameBudget::default();
        for step in &STEPS {
            let (reduced, size) = step.applied(&base, SIZE);
            desk.draw_sized(&reduced, size);
        }
        let mut times = Vec::new();
        for frame in 0..60 {
            let scene = base.with(key, &value(frame)).expect("a valid setting");
            let began = Instant::now();
            desk.upload(&scene);
            let step = pace.step();
            let (reduced, size) = STEPS[step].applied(&scene, SIZE);
            let [drawn, windows] = endless::moving(desk, &reduced, size, pace.patience());
            times.push(began.elapsed().as_secs_f64());
            let told = pace.shared(drawn, windows);
            pace.note(step, told);
        }
        let each_second = times.len() as f64 / times.iter().sum::<f64>();
        times.sort_by(f64::total_cmp);
        let p95 = times[times.len() * 95 / 100];
        println!(
            "  {key:<14} {each_second:>4.0} pictures a second, {:>5.1} ms p95, at last step {}{}",
            p95 * 1e3,
            pace.step(),
            missed(each_second >= 20.0 && p95 <= 0.05)
        );
    }
}

/// A way through the landscape, as fine as the scene says and as the window would draw it.
fn flight(desk: &mut Desk) {
    println!("\nflight: 120 frames, 1025², 3×3 tiles; no frame over 100 ms");
    let types = ["triangles", "rendered", "landscape"];
    for render_type in types
        .iter()
        .filter_map(|name| name.parse::<RenderType>().ok())
    {
        let mut scene = scene(&format!("{} {LIGHT} camera.mode=fly", ground(CRAGS, 10)));
        scene.view.render_type = render_type;
        scene.view.antialias = true;
        desk.upload(&scene);
        for automatic in [false, true] {
            let mut pace = FrameBudget::default();
            desk.draw(&scene);
            // As the window does.
            let facade = desk.headless.facade();
            let (cheaper, _) = STEPS[1].applied(&scene, SIZE);
            desk.renderer.warm_up(facade, &cheaper).expect("a picture");
            pace.note(0, desk.draw(&scene));
            let mut times = Vec::new();
            for frame in 0..120 {
                let along = f64::from(frame) / 120.0;
                scene.camera.target = [1.5 - 3.0 * along, 0.35, 0.5 * (6.0 * along).sin()];
                scene.camera.bearing = 270.0 + 60.0 * (9.0 * along).sin() as f32;
                (scene.camera.pitch, scene.camera.distance) = (10.0, 0.5);
                let step = if automatic { pace.step() } else { 0 };
                let (reduced, size) = STEPS[step].applied(&scene, SIZE);
                let time = desk.draw_sized(&reduced, size);
                pace.note(step, time);
                times.push(time.as_secs_f64() * 1e3);
            }
            let step = pace.step();
            times.sort_by(f64::total_cmp);
            let detail = match automatic {
                true => format!("automatic detail, at last step {step}"),
                false => "detail of the scene".to_owned(),
            };
            println!(
                "  {render_type}: {:.1} ms median, {:.1} ms p95, {:.1} ms at most; {detail}",
                times[60], times[113], times[119]
            );
        }
    }
}

/// "missed" where a target is.
fn missed(is_met: bool) -> &'static str {
    if is_met { "" } else { ", missed" }
}

/// A screen of 3840 × 2160 pixels: a flight, and the picture at rest, which is drawn in pieces.
fn four_k(desk: &mut Desk) {
    println!("\n4k: 20 pictures a second in flight; at rest and in a file no piece over 50 ms");
    const SIZE: (u32, u32) = (3840, 2160);
    const LIMIT: Duration = Duration::from_millis(12);
    let types = ["lines", "triangles", "rendered", "landscape"];
    for render_type in types
        .iter()
        .filter_map(|name| name.parse::<RenderType>().ok())
    {
        let mut scene = scene(&format!("{} {LIGHT} camera.mode=fly", ground(CRAGS, 10)));
        scene.view.render_type = render_type;
        scene.view.antialias = true;
        desk.upload(&scene);
        (scene.camera.pitch, scene.camera.distance) = (10.0, 0.5);
        // Programs are compiled, and the largest buffers made.
        for step in &STEPS {
            let (reduced, size) = step.applied(&scene, SIZE);
            desk.draw_sized(&reduced, size);
        }
        let mut pace = FrameBudget::default();
        let mut times = Vec::new();
        for frame in 0..60 {
            let along = f64::from(frame) / 60.0;
            scene.camera.target = [1.5 - 3.0 * along, 0.35, 0.5 * (6.0 * along).sin()];
            scene.camera.bearing = 270.0 + 60.0 * (9.0 * along).sin() as f32;
            let step = pace.step();
            let (reduced, size) = STEPS[step].applied(&scene, SIZE);
            let time = desk.draw_sized(&reduced, size);
            pace.note(step, time);
            times.push(time.as_secs_f64());
        }
        times.sort_by(f64::total_cmp);
        let each_second = 1.0 / times[times.len() / 2];
        println!(
            "  {render_type}: {each_second:.0} pictures a second, at last step {}{}",
            pace.step(),
            missed(each_second >= 20.0)
        );
        let facade = desk.headless.facade();
        let begun = desk
            .renderer
            .begin(facade, &scene, SIZE, Some(LIMIT), Rates::unknown());
        let mut picture = begun.expect("a picture");
        let mut pieces = 0;
        while !picture.is_done() {
            let drawn = desk.renderer.develop(facade, &scene, &mut picture);
            drawn.expect("a piece");
            pieces += 1;
        }
        let (took, longest) = (
            picture.took().as_secs_f64(),
            picture.longest().as_secs_f64(),
        );
        println!(
            "  {render_type}: {:.0} ms at rest in {pieces} pieces, the longest {:.0} ms{}",
            took * 1e3,
            longest * 1e3,
            missed(longest <= 0.05)
        );
        desk.renderer.give_up(picture);
        let shot = RenderRequest {
            samples: 2,
            ..RenderRequest::new((8192, 4608))
        };
        let mut exposure = TiledRender::new(shot).in_steps_of(LIMIT);
        let mut steps = Vec::new();
        while !exposure.is_done() {
            let began = Instant::now();
            let rows = exposure.step(&mut desk.renderer, desk.headless.facade(), &scene);
            rows.expect("a piece");
            steps.push(began.elapsed().as_secs_f64());
        }
        let longest = steps.iter().copied().fold(0.0, f64::max);
        println!(
            "  {render_type}: {:.0} ms for a file of 8192 × 4608, two samples, in {} pieces, the longest {:.0} ms{}",
            steps.iter().sum::<f64>() * 1e3,
            steps.len(),
            longest * 1e3,
            missed(longest <= 0.05)
        );
    }
}

/// The program from its start to a picture on disk.
fn start(_: &mut Desk) {
    println!("\nstart: to the first picture in less than 1000 ms");
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/release/landform");
    let program = std::env::var_os("LANDFORM").map_or(program, Into::into);
    let picture = std::env::temp_dir().join(format!("landform-bench-{}.png", std::process::id()));
    let run = || {
        let mut command = Command::new(&program);
        command
            .args(["render", "--size", "1280x720", "-o"])
            .arg(&picture);
        command.output().is_ok_and(|output| output.status.success())
    };
    if !run() {
        println!("  no program at {}", program.display());
        return;
    }
    let times: Vec<_> = (0..5).map(|_| time(|| assert!(run()))).collect();
    println!(
        "  {:.0} ms, with writing it to a file",
        quickest(&times) * 1e3
    );
    // Nothing is left behind; there may be nothing.
    drop(std::fs::remove_file(&picture));
}

/// What textures and buffers take.
fn memory(desk: &mut Desk) {
    println!("\nmemory: at most 150 MB at 4097²");
    let types = ["triangles", "landscape"];
    for render_type in types
        .iter()
        .filter_map(|name| name.parse::<RenderType>().ok())
    {
        let mut scene = scene(&format!("{} {LIGHT}", ground(CRAGS, 12)));
        (scene.view.render_type, scene.view.antialias) = (render_type, true);
        let facade = desk.headless.facade();
        desk.renderer = Renderer::new(facade).expect("a renderer");
        desk.upload(&scene);
        desk.draw(&scene);
        let bytes = desk.renderer.memory() as f64;
        println!(
            "  {render_type}: {:.1} MB ({:.1} MiB) with shadows, occlusion, antialiasing{}",
            bytes / 1e6,
            bytes / f64::from(1 << 20),
            missed(bytes <= 150e6)
        );
    }
}
