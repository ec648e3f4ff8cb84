//! A small file for every name that can be opened, and every way to open one in the window.
#![allow(dead_code)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use egui::{Event, vec2};
use egui_kittest::kittest::Queryable;

use crate::common::succeed;
use crate::desk::{Test, desk, of_scene};
use landform::app::commands::{Action, Command, Purpose};
use landform::app::files::{Done, FileJob, Files, Over};
use landform::export::{self, FORMATS, Format, Options};
use landform::film::Ready;
use landform::import;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::layer::Layer;
use landform::modify::{Modifier, ModifierKind};
use landform::scene::{RenderType, Scene};

/// Samples a side.
const SIDE: u16 = 9;

/// Ways to open a file in the window.
pub const WAYS: [fn(&mut Test, &Path); 4] = [choose, drop, paste, choose_recent];

/// A window's scene with everything that is no business of a file that is opened over it.
pub fn busy_scene() -> Scene {
    let mut scene = import::Preset::named("island").unwrap().scene();
    scene.layers = vec![Layer::default()];
    for kind in [ModifierKind::Erosion, ModifierKind::Thermal] {
        scene.modifiers.push(Modifier::new(kind));
    }
    scene.surface.tile_size_m = 777.0;
    scene.surface.height_scale = 0.3;
    scene.surface.reading.range = "1,2".to_owned();
    scene.view.tile = 3;
    scene.view.palette = "volcanic".to_owned();
    scene.view.render_type = RenderType::Triangles;
    scene.water.enabled = true;
    scene.light.elevation = 7.0;
    scene.camera.distance = 2.0;
    scene.analysis.contours = true;
    Ready::Day.applied(&scene, None, 4.0)
}

fn steps() -> impl Iterator<Item = u16> {
    (0..SIDE * SIDE).map(|at| (at * at) % 251)
}

fn bytes_of<const N: usize>(number: impl Fn(u16) -> [u8; N]) -> Vec<u8> {
    steps().flat_map(number).collect()
}

/// The ends of the names of files that can be opened here.
pub fn ends() -> Vec<&'static str> {
    let has_gdal = landform::gdal::Gdal::find().is_ok();
    let mut ends = import::extensions();
    ends.retain(|end| has_gdal || !import::is_read_by_gdal(end));
    ends
}

/// A file with that end of its name, of another program where there can be one, alone in a folder.
pub fn file(folder: &Path, end: &str) -> PathBuf {
    let folder = folder.join(end);
    fs::create_dir(&folder).unwrap();
    let name = if end == "gz" { "N49E008.hgt" } else { "dem" };
    let path = folder.join(format!("{name}.{end}"));
    let side = usize::from(SIDE);
    let shown = || bytes_of(|step| [step as u8]);
    match end {
        "toml" => fs::write(&path, busy_scene().to_toml()).unwrap(),
        "png" | "jpg" | "jpeg" | "bmp" | "tif" | "tiff" => {
            let image = image::GrayImage::from_raw(SIDE.into(), SIDE.into(), shown());
            image.unwrap().save(&path).unwrap();
        }
        // Which of them it is the content says.
        "pgm" | "ppm" | "pbm" | "pnm" | "pam" => {
            let head = format!("P5\n{SIDE} {SIDE}\n255\n").into_bytes();
            fs::write(&path, [head, shown()].concat()).unwrap();
        }
        "exr" => {
            let steps: Vec<_> = steps().map(f32::from).collect();
            exr::prelude::write_rgb_file(&path, side, side, |x, y| {
                let step = steps[y * side + x];
                (step, step, step)
            })
            .unwrap();
        }
        "npy" => {
            let head =
                format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({SIDE}, {SIDE}), }}");
            let head = format!("{head:<117}\n").into_bytes();
            let begin = [&b"\x93NUMPY\x01\x00"[..], &118_u16.to_le_bytes()].concat();
            let heights = bytes_of(|step| f32::from(step).to_le_bytes());
            fs::write(&path, [begin, head, heights].concat()).unwrap();
        }
        "r16" | "raw" => fs::write(&path, bytes_of(u16::to_le_bytes)).unwrap(),
        "r32" => {
            let heights = bytes_of(|step| (f32::from(step) / 251.0).to_le_bytes());
            fs::write(&path, heights).unwrap();
        }
        "asc" => {
            let heights: Vec<_> = steps().map(|step| step.to_string()).collect();
            let head = format!("ncols {SIDE}\nnrows {SIDE}\ncellsize 25\n");
            fs::write(&path, head + &heights.join(" ")).unwrap();
        }
        "hgt" => fs::write(&path, bytes_of(u16::to_be_bytes)).unwrap(),
        "gz" => {
            use std::io::Write;
            let packed = fs::File::create(&path).unwrap();
            let mut packed = flate2::write::GzEncoder::new(packed, flate2::Compression::fast());
            packed.write_all(&bytes_of(u16::to_be_bytes)).unwrap();
            packed.finish().unwrap();
        }
        // GDAL goes by the content.
        end if import::is_read_by_gdal(end) => {
            let foreign = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/foreign/classic.nc");
            fs::copy(foreign, &path).unwrap();
        }
        "zip" => {
            use std::io::Write;
            let mut archive = zip::ZipWriter::new(fs::File::create(&path).unwrap());
            let options = zip::write::SimpleFileOptions::default();
            archive.start_file("N49E008.hgt", options).unwrap();
            archive.write_all(&bytes_of(u16::to_be_bytes)).unwrap();
            archive.finish().unwrap();
        }
        // A mesh opens as the scene that it was made from alone.
        mesh => {
            let format = FORMATS.iter().find(|format| format.extension == mesh);
            export(
                &path,
                format.expect("a file for every name that can be opened"),
            );
        }
    }
    path
}

/// Files of all formats that are written, each with the scene that it was made from.
pub fn exported(folder: &Path) -> Vec<PathBuf> {
    let file = |format: &'static Format| {
        let folder = folder.join(format!("made-{}", format.name));
        fs::create_dir(&folder).unwrap();
        let path = folder.join(format!("made.{}", format.extension));
        export(&path, format);
        path
    };
    crate::common::written_formats().map(file).collect()
}

fn export(path: &Path, format: &'static Format) {
    let mut scene = Scene::default();
    scene.surface.iterations = 3;
    scene.view.tile = 2;
    let options = Options {
        format: Some(format),
        ..Options::default()
    };
    export::heightmap(path, &scene, &Inputs::default(), options, &Job::new()).unwrap();
}

/// The scene that the command opens a file as.
pub fn by_command(folder: &Path, file: &Path) -> Scene {
    let output = crate::common::landform_with(folder, ["scene", file.to_str().unwrap()]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", file.display());
    Scene::parse(&text).unwrap()
}

/// The same by its flag for an image.
pub fn by_input_flag(folder: &Path, file: &Path) -> Scene {
    let text = succeed(folder, &format!("scene --input {}", file.display()));
    Scene::parse(&text).unwrap()
}

/// A window that shows another scene, in which the file was opened in one of [`WAYS`].
pub fn opened(file: &Path, way: fn(&mut Test, &Path)) -> Test {
    let mut persisted = of_scene(busy_scene());
    persisted.recent.note(file);
    persisted.folder = file.parent().map(Path::to_owned);
    let mut test = desk(vec2(1280.0, 720.0), persisted, |_| ());
    way(&mut test, file);
    let commands = std::mem::take(&mut test.state_mut().commands);
    let [Command::Open(path)] = &commands[..] else {
        panic!("{}: {commands:?}", file.display());
    };
    match carried_out(FileJob::Open(path.clone())) {
        Done::Opened(path, opened, held) => {
            test.state_mut().ui.show_opened(path, *opened, held);
        }
        Done::NotOpened(_, words) => panic!("{words}"),
        _ => panic!("{}: opened as nothing", file.display()),
    }
    test.run_steps(3);
    test
}

/// The scene in a window, saved and read again.
pub fn saved(folder: &Path, test: &Test) -> Scene {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let path = folder.join(format!("saved-{number}.toml"));
    let scene = crate::desk::scene(test).into();
    let done = carried_out(FileJob::SaveScene(path.clone(), scene, Over::Any));
    assert!(matches!(done, Done::SavedScene(..)));
    import::open(&path).unwrap()
}

/// How work with a file ends.
pub fn carried_out(chore: FileJob) -> Done {
    let files = Files::start(|| {});
    files.hand(chore).unwrap();
    loop {
        if let Some((_, done)) = files.take().pop() {
            return done;
        }
        std::thread::yield_now();
    }
}

fn choose(test: &mut Test, file: &Path) {
    test.state_mut().ui.apply(Action::Ask(Purpose::Open));
    let name = file.file_name().unwrap().to_str().unwrap();
    // The dialog reads the folder on a thread of its own.
    for _ in 0..5000 {
        if test.query_by_label_contains(name).is_some() {
            break;
        }
        test.run_steps(1);
        std::thread::yield_now();
    }
    test.run_steps(2);
    let at = test.get_by_label_contains(name).rect().center();
    crate::desk::click(test, at);
    test.get_by_label("🗀  Open").click();
    test.run_steps(4);
}

fn drop(test: &mut Test, file: &Path) {
    test.input_mut().dropped_files.push(egui::DroppedFile {
        path: Some(file.to_owned()),
        ..Default::default()
    });
    test.run_steps(1);
}

fn paste(test: &mut Test, file: &Path) {
    test.event(Event::Paste(format!("file://{}", file.display())));
    test.run_steps(4);
}

fn choose_recent(test: &mut Test, file: &Path) {
    for label in ["File", "Open recent"] {
        test.get_by_label_contains(label).click();
        test.run_steps(6);
    }
    test.get_by_label(file.file_name().unwrap().to_str().unwrap())
        .click();
    test.run_steps(4);
}
