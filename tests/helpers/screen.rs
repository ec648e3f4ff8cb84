//! The program's window under an X server of its own, driven by mouse and keys.
#![allow(dead_code)]

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use egui::Rect;
use landform::app::settings;
use landform::app::state::{PanelView, Persisted};
use landform::job::Job;
use landform::pipeline::Pipeline;
use landform::scene::Scene;
use landform::{import, render};

pub const SIZE: (u32, u32) = (1280, 720);
const PATIENCE: Duration = Duration::from_secs(60);
/// For large pictures on machines without a graphics card.
pub const LONG_PATIENCE: Duration = Duration::from_secs(120);

/// A program rests if so many looks at it, this far apart, find it asleep; one that never does is not
/// waited for beyond this much of its work, which takes as long as the machine makes it.
const LOOKS: u32 = 4;
const LOOK: Duration = Duration::from_millis(8);
const RESTLESS: Duration = Duration::from_millis(400);

/// A program that ends with the test, however that ends.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An X server on a free display number, with room for one window.
pub fn x_server() -> (Running, String) {
    x_server_of(SIZE)
}

/// Starts a server as [`x_server`] does, with a screen of that size.
pub fn x_server_of(size: (u32, u32)) -> (Running, String) {
    x_server_with(size, |server| server)
}

/// Starts a server as [`x_server`] does; its screen can be looked at ([`seen`]) in a file of that
/// folder.
pub fn x_server_seen(folder: &Path) -> (Running, String) {
    x_server_with(SIZE, |server| server.arg("-fbdir").arg(folder))
}

/// All pixels on the screen of [`x_server_seen`]: four bytes a pixel (blue, green, red, none), the
/// top row first.
pub fn seen(folder: &Path) -> Vec<u8> {
    let file = fs::read(folder.join("Xvfb_screen0")).unwrap();
    // XWD: numbers of 32 bits, the highest byte first; 12 bytes a colour follow.
    let number = |index: usize| {
        let bytes = file[4 * index..][..4].try_into().unwrap();
        u32::from_be_bytes(bytes) as usize
    };
    let (header, colors, bits) = (number(0), number(19), number(11));
    assert_eq!((number(4), number(5)), (SIZE.0 as usize, SIZE.1 as usize));
    assert_eq!((bits, number(12)), (32, 4 * SIZE.0 as usize));
    file[header + 12 * colors..][..(4 * SIZE.0 * SIZE.1) as usize].to_vec()
}

fn x_server_with(
    (width, height): (u32, u32),
    prepare: impl FnOnce(&mut Command) -> &mut Command,
) -> (Running, String) {
    let mut server = Command::new("Xvfb");
    let mut server = prepare(&mut server)
        // Without -noreset the server starts anew when the last window closes, and the next
        // window finds none for a moment.
        .args(["-displayfd", "1", "-noreset", "-nolisten", "tcp"])
        .arg("-screen")
        .arg("0")
        .arg(format!("{width}x{height}x24"))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("Xvfb must be installed: scripts/deps.sh test");
    let mut number = String::new();
    let stdout = server.stdout.take().unwrap();
    BufReader::new(stdout).read_line(&mut number).unwrap();
    assert!(!number.trim().is_empty(), "Xvfb does not start");
    (Running(server), format!(":{}", number.trim()))
}

/// The window, its display, and the folders it may write to.
pub struct Window {
    program: Running,
    display: String,
    pictures: PathBuf,
    pub id: String,
}

impl Window {
    pub fn open(display: &str, home: &Path, scene: Option<&Path>) -> Self {
        Self::open_with(display, home, scene, |command| command)
    }

    /// Opens a window as [`Window::open`] does, of a program that is started as `prepare` says.
    pub fn open_with(
        display: &str,
        home: &Path,
        scene: Option<&Path>,
        prepare: impl FnOnce(&mut Command) -> &mut Command,
    ) -> Self {
        Self::open_sized(display, home, scene, SIZE, prepare)
    }

    /// Opens a window as [`Window::open_with`] does, in that size.
    pub fn open_sized(
        display: &str,
        home: &Path,
        scene: Option<&Path>,
        (width, height): (u32, u32),
        prepare: impl FnOnce(&mut Command) -> &mut Command,
    ) -> Self {
        let size = format!("{width}x{height}");
        // As the interface of tests without a window: all settings in one list.
        let config = home.join("config");
        if !config.exists() {
            let persisted = Persisted {
                panel_view: PanelView::EVERYTHING,
                ..Persisted::default()
            };
            settings::save(&config, &persisted).unwrap();
        }
        Self::start(display, home, |command| {
            prepare(command.args(["view", "--size", &size]).args(scene))
        })
    }

    /// Opens a window as [`Window::open_with`] does, with no arguments but those that `prepare`
    /// gives.
    pub fn start(
        display: &str,
        home: &Path,
        prepare: impl FnOnce(&mut Command) -> &mut Command,
    ) -> Self {
        let pictures = home.join("pictures");
        let mut command = Command::new(env!("CARGO_BIN_EXE_landform"));
        command
            .env("DISPLAY", display)
            .env_remove("WAYLAND_DISPLAY")
            .env("LC_ALL", "C")
            .env_remove("LANGUAGE")
            .env("WINIT_X11_SCALE_FACTOR", "1")
            .env("HOME", home)
            .env(settings::FOLDER_VARIABLE, home.join("config"))
            .env(settings::PICTURES_VARIABLE, &pictures);
        let program = prepare(&mut command).spawn().unwrap();
        let mut window = Self {
            program: Running(program),
            display: display.to_owned(),
            pictures,
            id: String::new(),
        };
        window.id = wait_for("the window", || {
            let found = window.xdotool(&["search", "--onlyvisible", "--name", "Landform"]);
            found.lines().next().map(str::to_owned)
        });
        window
    }

    pub fn xdotool(&self, arguments: &[&str]) -> String {
        let output = self.xdotool_unheard(arguments);
        self.settle();
        output
    }

    /// Run xdotool without waiting for the window.
    pub fn xdotool_unheard(&self, arguments: &[&str]) -> String {
        let output = Command::new("xdotool")
            .args(arguments)
            .env("DISPLAY", &self.display)
            .output()
            .expect("xdotool must be installed: scripts/deps.sh test");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Stop the window's program while `act` runs, so that it receives all input in one frame.
    pub fn while_stopped(&self, act: impl FnOnce()) {
        self.signal("STOP");
        act();
        self.signal("CONT");
        self.settle();
    }

    /// Waits until the display has told the program what was done, and the program has drawn what comes
    /// of it: until both have had nothing to do for a moment, however busy the machine is. What
    /// never rests is waited for until it has worked for [`RESTLESS`].
    fn settle(&self) {
        let server = fs::read_to_string(format!("/tmp/.X{}-lock", &self.display[1..]));
        let server = server.ok().and_then(|id| id.trim().parse().ok());
        let programs = server.into_iter().chain([self.program.0.id()]);
        let programs: Vec<u32> = programs.collect();
        let now = || -> Vec<_> { programs.iter().flat_map(|id| work_of(*id)).collect() };
        let all = |threads: &[Work]| threads.iter().map(|thread| thread.time).sum();
        let (started, mut last, mut looks) = (Instant::now(), now(), 0);
        let (most, mut waited) = (RESTLESS + all(&last), Duration::ZERO);
        while looks < LOOKS && all(&last) + waited < most && started.elapsed() < PATIENCE {
            std::thread::sleep(LOOK);
            let next = now();
            if next.iter().any(|thread| thread.waits_within) {
                waited += LOOK;
            }
            let rests = next == last && next.iter().all(|thread| thread.rests);
            looks = if rests { looks + 1 } else { 0 };
            last = next;
        }
    }

    pub fn key(&self, key: &str) {
        self.xdotool(&["windowfocus", "--sync", &self.id, "key", key]);
    }

    /// Clicks at a place of the window.
    pub fn click(&self, at: egui::Pos2) {
        let [x, y] = [at.x, at.y].map(|at| at.round().to_string());
        self.xdotool(&["mousemove", "--window", &self.id, &x, &y, "click", "1"]);
    }

    pub fn drag(&self, rail: Rect, from: f32, to: f32) {
        let y = rail.center().y.to_string();
        for step in 0..=8 {
            let part = from + (to - from) * step as f32 / 8.0;
            let x = egui::lerp(rail.left()..=rail.right(), part).to_string();
            self.xdotool(&["mousemove", "--window", &self.id, &x, &y]);
            if step == 0 {
                self.xdotool(&["mousedown", "1"]);
            }
        }
        self.xdotool(&["mouseup", "1"]);
    }

    pub fn saved(&self) -> BTreeSet<PathBuf> {
        let entries = fs::read_dir(&self.pictures).into_iter().flatten();
        let paths = entries.map(|entry| entry.unwrap().path());
        paths
            .filter(|path| path.extension().is_some_and(|e| e == "png"))
            .collect()
    }

    /// Presses F12, and returns the file that appears.
    pub fn save_picture(&self) -> PathBuf {
        let before = self.saved();
        self.key("F12");
        wait_up_to(LONG_PATIENCE, "a picture", || {
            self.saved().difference(&before).next().cloned()
        })
    }

    /// The title of the window.
    pub fn title(&self) -> String {
        let title = self.xdotool(&["getwindowname", &self.id]);
        title.trim_end().to_owned()
    }

    /// Waits until the window has that title.
    #[track_caller]
    pub fn wait_for_title(&self, title: &str) {
        wait_for(&format!("the title {title:?}"), || {
            (self.title() == title).then_some(())
        });
    }

    /// Presses Ctrl+Q and discards what is not saved; the program must end well.
    pub fn quit(self) {
        self.key("ctrl+q");
        if !self.title().starts_with('•') {
            return self.ended();
        }
        // From *Save* to *Discard*.
        self.xdotool(&["key", "Tab"]);
        self.xdotool(&["key", "Return"]);
        self.ended();
    }

    /// Waits for the end of the program, which must be a good one.
    pub fn ended(mut self) {
        let status = wait_for("the end", || self.program.0.try_wait().unwrap());
        assert!(status.success(), "{status}");
    }

    /// Waits for the end of the program, which must be an error.
    pub fn failed(mut self) {
        let status = wait_for("the end", || self.program.0.try_wait().unwrap());
        assert_eq!(status.code(), Some(1));
    }

    /// Whether the program runs.
    pub fn runs(&mut self) -> bool {
        self.program.0.try_wait().unwrap().is_none()
    }

    /// The number of the program's process.
    pub fn process_id(&self) -> u32 {
        self.program.0.id()
    }

    /// Asks the program to end, as a system does that shuts down.
    pub fn terminate(self) {
        self.signal("TERM");
        self.ended();
    }

    /// Ends the program at once, wherever it is.
    pub fn kill(mut self) {
        self.signal("KILL");
        wait_for("the end", || self.program.0.try_wait().unwrap());
    }

    fn signal(&self, name: &str) {
        let id = self.program.0.id().to_string();
        let sent = Command::new("kill").args(["-s", name, &id]).status();
        assert!(sent.unwrap().success());
    }
}

/// What a thread has done.
#[derive(PartialEq, Eq)]
struct Work {
    /// How long it was on a processor.
    time: Duration,
    /// Whether it waits for something.
    rests: bool,
    /// Whether it waits for another thread of the program, which has a part of its frame.
    waits_within: bool,
}

/// What the first thread of a program has done, which draws and hears of events, and those that draw
/// for it.
fn work_of(program: u32) -> Vec<Work> {
    let threads = fs::read_dir(format!("/proc/{program}/task"));
    let threads = threads.into_iter().flatten().flatten();
    let work = threads.filter_map(|thread| {
        let read = |file: &str| fs::read_to_string(thread.path().join(file)).ok();
        let is_first = thread.file_name().to_str() == Some(&program.to_string());
        let draws = is_first || read("comm")?.starts_with("llvmpipe");
        let (times, state) = (read("schedstat")?, read("stat")?);
        let state = state.rsplit_once(')')?.1.trim_start().chars().next()?;
        let nanoseconds = times.split(' ').next()?.parse().ok()?;
        // Where the system does not tell, it is taken not to.
        let waits_within = is_first && read("wchan").is_some_and(|place| place.contains("futex"));
        draws.then(|| Work {
            time: Duration::from_nanos(nanoseconds),
            // What has ended waits for its parent alone.
            rests: matches!(state, 'S' | 'Z') && !waits_within,
            waits_within,
        })
    });
    work.collect()
}

#[track_caller]
pub fn wait_for<T>(what: &str, look: impl FnMut() -> Option<T>) -> T {
    wait_up_to(PATIENCE, what, look)
}

/// Waits as [`wait_for`] does, for something that takes longer.
#[track_caller]
pub fn wait_up_to<T>(patience: Duration, what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(started.elapsed() < patience, "{what} does not come");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The picture and the scene that it holds; checked to be what a render of that scene is, with many
/// colours.
pub fn check_picture(path: &Path, size: (u32, u32)) -> (image::RgbImage, Scene) {
    let (picture, scene) = check_render(path, size);
    let colors: BTreeSet<_> = picture.pixels().map(|pixel| pixel.0).collect();
    assert!(colors.len() > 500, "{} colours in {path:?}", colors.len());
    (picture, scene)
}

/// The same, of a picture that may have few colours.
pub fn check_render(path: &Path, size: (u32, u32)) -> (image::RgbImage, Scene) {
    let picture = image::open(path).unwrap().into_rgb8();
    assert_eq!(picture.dimensions(), size);
    let scene = import::open(path).unwrap();
    let inputs = import::inputs(&scene).unwrap();
    let landscape = Pipeline::default()
        .run(&scene, &inputs, &Job::new())
        .unwrap();
    let rendered = render::picture(&landscape, size).unwrap();
    let rendered: Vec<u8> = rendered.as_slice().iter().flatten().copied().collect();
    assert!(
        picture.as_raw() == &rendered,
        "{path:?} is not what a render of its scene is"
    );
    (picture, scene)
}
