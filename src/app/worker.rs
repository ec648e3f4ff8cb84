//! The thread that makes landscapes, so that the window never waits for one.
//!
//! ```text
//! window ── request ──▶ inbox: one slot, the newest wins ──▶ worker
//! window ◀── wake, take ── outbox: one slot, the newest wins ── coarse, full, measures
//! ```
//! A new request cancels the one under way, which really stops. A landscape of many iterations
//! is first made with few: that is the same landscape bit for bit, only coarser, and there at
//! once. At most one full map is alive: the pipeline refills its array, once the window has let
//! go of it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::app::coarse::{Costly, coarse_scene};
use crate::app::export::{Exporting, preview};
use crate::app::pins::ground_for_pins;
use crate::app::steer::moves_over_ground;
use crate::app::times::{StepTimes, Stopwatch};
use crate::camera::Ground;
use crate::export::{self, Forecast};
use crate::generate::{GenerateError, Reading, Surface};
use crate::heightmap::Heightmap;
use crate::import;
use crate::inputs::Inputs;
use crate::job::Job;
use crate::measure::{Statistics, hurst, statistics, variations};
use crate::pipeline::{Landscape, Pipeline};
use crate::scene::Scene;

pub use crate::app::coarse::COARSE_ITERATIONS;

/// Samples from which on measuring waits for a pause between edits.
const MEASURE_LATER_FROM: usize = 1 << 20;
const PAUSE: Duration = Duration::from_millis(300);

/// A landscape, ready to be drawn.
#[derive(Debug)]
pub struct Made {
    /// Which request it answers.
    pub number: u64,
    /// The landscape.
    pub landscape: Landscape,
    /// The ground before its modifiers, thinned, where pins may be placed on it.
    pub ground: Option<Arc<Heightmap>>,
    /// Its ground for cameras; none of a profile, and none yet where no camera needs it at once.
    pub terrain: Option<Ground>,
    /// Whether it is the coarse one and a finer one follows.
    pub coarse: bool,
    /// How long it took.
    pub made_in: Duration,
    /// How long the steps took that were made anew.
    pub times: StepTimes,
}

/// What the worker has to say; each part is the newest of its kind.
#[derive(Debug, Default)]
pub struct Outbox {
    /// A landscape.
    pub made: Option<Made>,
    /// The ground for cameras of the landscape of that request, where that came without.
    pub terrain: Option<(u64, Option<Ground>)>,
    /// The estimated H of the landscape of that request.
    pub measured: Option<(u64, Option<f64>)>,
    /// All measures of the landscape of that request, while they are wanted.
    pub statistics: Option<(u64, Arc<Statistics>)>,
    /// What its file will be like, or why there will be none.
    pub forecast: Option<(u64, Result<Forecast, String>)>,
    /// What is to be known about the files of a scene, if they were read anew.
    pub notices: Option<Vec<String>>,
    /// Why there is no landscape for that request; cancelled is not an error.
    pub failed: Option<(u64, String)>,
}

struct Request {
    number: u64,
    scene: Scene,
    reread: bool,
}

#[derive(Default)]
struct State {
    next: Option<Request>,
    running: Option<(Job, Instant)>,
    /// Statistics under way in a pause.
    measuring: Option<Job>,
    /// Whether statistics are wanted, and whether they are since a moment ago.
    statistics: bool,
    statistics_due: bool,
    /// What is to be exported, while that is thought of.
    exporting: Option<Exporting>,
    number: u64,
    outbox: Outbox,
    quit: bool,
}

impl State {
    fn cancel(&self) {
        if let Some((job, _)) = &self.running {
            job.cancel();
        }
        if let Some(job) = &self.measuring {
            job.cancel();
        }
    }
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A handle on the thread; dropping it cancels the work and ends the thread.
pub struct Worker {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// Starts the thread. It calls `wake` whenever something is in the outbox.
    #[must_use]
    pub fn start(wake: impl Fn() + Send + 'static) -> Self {
        let shared = Arc::new(Shared::default());
        let theirs = Arc::clone(&shared);
        let thread = std::thread::spawn(move || {
            let mut bench = Bench::new(theirs, Box::new(wake));
            while let Some((request, job)) = bench.next_request() {
                bench.serve(request, &job);
            }
        });
        Self {
            shared,
            thread: Some(thread),
        }
    }

    /// Asks for the landscape of `scene` in place of any asked for before. `reread`: the files
    /// that the scene names may have changed. Returns the request's number.
    pub fn request(&self, scene: Scene, reread: bool) -> u64 {
        let mut state = self.shared.lock();
        state.number += 1;
        let number = state.number;
        // A request that is replaced before it is served still wants its files read.
        let reread = reread || state.next.take().is_some_and(|request| request.reread);
        state.next = Some(Request {
            number,
            scene,
            reread,
        });
        state.cancel();
        self.shared.changed.notify_all();
        number
    }

    /// Whether all measures of the landscapes are wanted, of the one at hand as well. They are
    /// made when there is nothing else to do, and given up as soon as there is.
    pub fn want_statistics(&self, wanted: bool) {
        let mut state = self.shared.lock();
        if std::mem::replace(&mut state.statistics, wanted) == wanted {
            return;
        }
        state.statistics_due = wanted;
        if let (false, Some(job)) = (wanted, &state.measuring) {
            job.cancel();
        }
        self.shared.changed.notify_all();
    }

    /// Asks for the forecast of a file with every landscape from the next request on, or for none
    /// any more. Returns whether that is another wish than before.
    pub fn want_forecast(&self, exporting: Option<Exporting>) -> bool {
        let state = &mut self.shared.lock();
        let changed = state.exporting != exporting;
        state.exporting = exporting;
        changed
    }

    /// Stops the work under way and forgets what was asked for.
    pub fn cancel(&self) {
        let mut state = self.shared.lock();
        state.next = None;
        state.cancel();
    }

    /// How much of the landscape under way is done, and how long it has taken.
    #[must_use]
    pub fn progress(&self) -> Option<(f32, Duration)> {
        let state = self.shared.lock();
        let (job, since) = state.running.as_ref()?;
        Some((job.progress(), since.elapsed()))
    }

    /// Whether something is asked for and not yet made.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        let state = self.shared.lock();
        state.next.is_some() || state.running.is_some()
    }

    /// Whether there is a landscape to be taken.
    #[must_use]
    pub fn has_made(&self) -> bool {
        self.shared.lock().outbox.made.is_some()
    }

    /// Takes what is in the outbox.
    #[must_use]
    pub fn take(&self) -> Outbox {
        std::mem::take(&mut self.shared.lock().outbox)
    }

    /// Takes what is in the outbox, and waits up to `patience` for a landscape to be there.
    #[must_use]
    pub fn wait(&self, patience: Duration) -> Outbox {
        let state = self.shared.lock();
        let nothing = |state: &mut State| {
            state.outbox.made.is_none() && (state.next.is_some() || state.running.is_some())
        };
        let waited = self
            .shared
            .changed
            .wait_timeout_while(state, patience, nothing);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut state.outbox)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.shared.lock().quit = true;
        self.cancel();
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            // Only a panic that `serve` did not catch, which has been reported by then.
            drop(thread.join());
        }
    }
}

/// The worker's side.
struct Bench {
    shared: Arc<Shared>,
    wake: Box<dyn Fn() + Send>,
    /// The coarse pass has its own, so that the full map's array stays to be filled again.
    coarse: Pipeline,
    full: Pipeline,
    /// What the full pipeline has made last, to know whether it will take long.
    made: Option<Costly>,
    last_full: Weak<Heightmap>,
    inputs: Inputs,
    read: Option<Files>,
    /// A map that waits for a pause to be measured.
    unmeasured: Option<u64>,
    /// The map measured last, and its H: a change of palette or light measures nothing anew.
    measured: (Weak<Heightmap>, Option<f64>),
    /// The map that statistics were made of last, and they.
    statistics: (Weak<Heightmap>, Option<Arc<Statistics>>),
    /// The request that the last full landscape answers.
    last_number: u64,
}

/// The files a scene names.
type Files = (Vec<(Option<PathBuf>, Reading)>, String);

impl Bench {
    fn new(shared: Arc<Shared>, wake: Box<dyn Fn() + Send>) -> Self {
        Self {
            shared,
            wake,
            coarse: Pipeline::default(),
            full: Pipeline::default(),
            made: None,
            last_full: Weak::new(),
            inputs: Inputs::default(),
            read: None,
            unmeasured: None,
            measured: (Weak::new(), None),
            statistics: (Weak::new(), None),
            last_number: 0,
        }
    }

    /// Waits for a request; `None` to end. Measures what is unmeasured when a pause comes.
    fn next_request(&mut self) -> Option<(Request, Job)> {
        let shared = Arc::clone(&self.shared);
        let mut state = shared.lock();
        loop {
            if state.quit {
                return None;
            }
            if let Some(request) = state.next.take() {
                let job = Job::new();
                state.running = Some((job.clone(), Instant::now()));
                // Outdated now, and its array is wanted.
                state.outbox.made = None;
                return Some((request, job));
            }
            let due = std::mem::take(&mut state.statistics_due);
            if state.statistics && (due || self.lacks_statistics()) {
                self.unmeasured = Some(self.last_number);
            }
            let waited = match self.unmeasured {
                None => shared.changed.wait(state).map_err(|_| ()),
                Some(number) => {
                    let (mut woken, timeout) = shared
                        .changed
                        .wait_timeout(state, PAUSE)
                        .unwrap_or_else(PoisonError::into_inner);
                    // What came at the very end of the pause goes first.
                    if timeout.timed_out() && woken.next.is_none() {
                        let job = Job::new();
                        woken.measuring = Some(job.clone());
                        drop(woken);
                        self.measure(number, &job);
                        let mut state = shared.lock();
                        state.measuring = None;
                        Ok(state)
                    } else {
                        Ok(woken)
                    }
                }
            };
            state = waited.unwrap_or_else(|()| shared.lock());
        }
    }

    fn serve(&mut self, request: Request, job: &Job) {
        let number = request.number;
        // A bug in a generator must cost one landscape, not the window.
        let outcome = catch_unwind(AssertUnwindSafe(|| self.make(&request, job)));
        let failed = match outcome {
            Ok(Ok(())) => None,
            Ok(Err(Failure::Cancelled)) => None,
            Ok(Err(Failure::Error(message))) => Some(message),
            Err(_) => {
                (self.coarse, self.full) = (Pipeline::default(), Pipeline::default());
                Some("internal error while making the landscape".to_owned())
            }
        };
        let mut state = self.shared.lock();
        state.running = None;
        if let Some(message) = failed {
            self.made = None;
            state.outbox.failed = Some((number, message));
        }
        drop(state);
        self.shared.changed.notify_all();
        (self.wake)();
    }

    fn make(&mut self, request: &Request, job: &Job) -> Result<(), Failure> {
        let (number, scene) = (request.number, &request.scene);
        self.read_inputs(scene, request.reread)?;
        let costly = Costly::of(scene);
        let coarse = coarse_scene(scene);
        let skip = self.made.as_ref().is_some_and(|made| made.has(&costly));
        if costly.wants_coarse() && !skip && coarse != *scene {
            let started = Instant::now();
            let landscape = self.coarse.run(&coarse, &self.inputs, job)?;
            let terrain = Ground::new(&landscape.heights, scene.view.tile);
            self.post(Made {
                number,
                landscape,
                terrain,
                ground: ground_for_pins(scene, &self.coarse),
                coarse: true,
                made_in: started.elapsed(),
                times: StepTimes::default(),
            });
        }
        self.wait_for_the_array(job)?;
        let started = Instant::now();
        let mut watch = Stopwatch::start();
        let mut done = |stage| watch.done(stage);
        let mut landscape = (self.full).run_observed(scene, &self.inputs, job, &mut done)?;
        self.made = Some(costly);
        self.last_full = Arc::downgrade(&landscape.heights);
        let samples = landscape.heights.heights().len();
        let wish = self.shared.lock().exporting.clone();
        // Only a landscape that is to show the file's steps waits for the forecast.
        let mut plain = None;
        match &wish {
            Some(wish) if wish.preview => self.foresee(number, wish, &mut landscape, job),
            Some(_) => plain = Some(landscape.clone()),
            None => {}
        }
        let (map, at_once) = (Arc::clone(&landscape.heights), moves_over_ground(scene));
        let terrain = || Ground::new(&map, scene.view.tile);
        self.post(Made {
            number,
            landscape,
            terrain: at_once.then(terrain).flatten(),
            ground: ground_for_pins(scene, &self.full),
            coarse: false,
            made_in: started.elapsed(),
            times: watch.times,
        });
        if !at_once && !job.is_cancelled() {
            let terrain = terrain();
            self.shared.lock().outbox.terrain = Some((number, terrain));
            (self.wake)();
        }
        drop(map);
        if let (Some(wish), Some(mut plain)) = (wish, plain) {
            self.foresee(number, &wish, &mut plain, job);
        }
        (self.unmeasured, self.last_number) = (Some(number), number);
        if samples < MEASURE_LATER_FROM || self.measured.0.ptr_eq(&self.last_full) {
            self.measure(number, job);
        }
        Ok(())
    }

    /// Tells what the landscape's file will be like, and shows it if that is wished.
    fn foresee(&self, number: u64, wish: &Exporting, landscape: &mut Landscape, job: &Job) {
        let forecast = preview::foresee(wish, landscape, job);
        if !job.is_cancelled() {
            self.shared.lock().outbox.forecast = Some((number, forecast));
            (self.wake)();
        }
    }

    /// Reads the files that the scene names, if they are not those read before.
    fn read_inputs(&mut self, scene: &Scene, again: bool) -> Result<(), Failure> {
        let images = scene.surfaces().map(Surface::input_as_read);
        let files = (images.collect(), scene.view.palette.clone());
        if !again && self.read.as_ref() == Some(&files) {
            return Ok(());
        }
        self.read = None;
        self.inputs = import::inputs(scene).map_err(|error| Failure::Error(error.to_string()))?;
        let fits = export::check_picture(scene, &self.inputs);
        fits.map_err(|error| Failure::Error(error.to_string()))?;
        self.read = Some(files);
        self.shared.lock().outbox.notices = Some(self.inputs.notices().to_vec());
        if again {
            // The pipeline knows files by name only.
            (self.coarse, self.full) = (Pipeline::default(), Pipeline::default());
            self.made = None;
        }
        Ok(())
    }

    /// The window may still hold the last map while it uploads it. Waiting costs less than a
    /// second array of the same size.
    fn wait_for_the_array(&self, job: &Job) -> Result<(), Failure> {
        let asked = Instant::now();
        // One holder is the pipeline itself.
        while self.last_full.strong_count() > 1 && asked.elapsed() < Duration::from_secs(1) {
            job.check().map_err(GenerateError::from)?;
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    }

    fn measure(&mut self, number: u64, job: &Job) {
        self.unmeasured = None;
        if let Some(map) = self.last_full.upgrade() {
            if !self.measured.0.ptr_eq(&self.last_full) {
                let hurst = hurst(&variations(&map));
                self.measured = (Weak::clone(&self.last_full), hurst);
            }
            self.shared.lock().outbox.measured = Some((number, self.measured.1));
            (self.wake)();
            if self.shared.lock().statistics {
                self.make_statistics(number, &map, job);
            }
        }
    }

    /// Whether there is a map that statistics have not been made of.
    fn lacks_statistics(&self) -> bool {
        self.last_full.strong_count() > 0 && !self.statistics.0.ptr_eq(&self.last_full)
    }

    fn make_statistics(&mut self, number: u64, map: &Heightmap, job: &Job) {
        if self.lacks_statistics() {
            let Ok(made) = statistics(map, job) else {
                // Cancelled: there is something better to do, and the next pause comes.
                return;
            };
            self.statistics = (Weak::clone(&self.last_full), Some(Arc::new(made)));
        }
        if let Some(statistics) = self.statistics.1.clone() {
            self.shared.lock().outbox.statistics = Some((number, statistics));
            (self.wake)();
        }
    }

    fn post(&self, made: Made) {
        let mut state = self.shared.lock();
        state.outbox.made = Some(made);
        drop(state);
        self.shared.changed.notify_all();
        (self.wake)();
    }
}

enum Failure {
    Cancelled,
    Error(String),
}

impl From<GenerateError> for Failure {
    fn from(error: GenerateError) -> Self {
        match error {
            GenerateError::Cancelled(_) => Self::Cancelled,
            error => Self::Error(error.to_string()),
        }
    }
}
