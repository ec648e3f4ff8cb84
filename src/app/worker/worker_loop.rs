//! Main loop of the worker thread: serves requests in turn, and computes statistics while idle.

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use crate::app::background::{Shared, aside, caught};
use crate::app::state::MeasuredHurst;
use crate::app::worker::builder::{CostlyStages, Full, LandscapeBuilder, NotMade};
use crate::app::worker::{Made, Order, RequestSender, Running, Slots};
use crate::files::export::MOST_PLANTS;
use crate::plants::{PlantCount, Scatter};
use crate::terrain::heightmap::Heightmap;
use crate::terrain::measure::{self, Statistics, variations};
use crate::util::job::Job;
use crate::util::language::tr;

/// Number of samples from which statistics wait for a pause between edits, and the length of that
/// pause.
const MEASURE_LATER_FROM: usize = 1 << 20;
const PAUSE: Duration = Duration::from_millis(300);

/// State of the worker thread.
pub struct WorkerLoop {
    post: RequestSender,
    maker: LandscapeBuilder,
    measurer: Measurer,
    /// True if statistics of the last map are due at the next pause.
    unmeasured: bool,
}

/// Next task of the thread.
enum Task {
    Make(Box<Order>, Job),
    Weigh(Job),
    Measure(Job),
}

impl WorkerLoop {
    /// Worker state without a landscape; calls `wake` whenever something is put into the outbox.
    pub fn new(slots: Arc<Shared<Slots>>, wake: Box<dyn Fn() + Send>) -> Self {
        Self {
            post: RequestSender { slots, wake },
            maker: LandscapeBuilder::default(),
            measurer: Measurer::default(),
            unmeasured: false,
        }
    }

    /// Run until the worker is dropped.
    pub fn run(mut self) {
        while let Some(task) = self.next_task() {
            match task {
                Task::Make(order, job) => self.serve(&order, &job),
                Task::Weigh(job) => {
                    aside(|| self.weigh(&job));
                    self.post.slots.lock().weighing = None;
                }
                Task::Measure(job) => {
                    aside(|| self.measure(&job));
                    self.post.slots.lock().measuring = None;
                }
            }
        }
    }

    /// Wait for the next task; `None` ends the thread. Statistics are delayed until a pause.
    fn next_task(&mut self) -> Option<Task> {
        let shared = &self.post.slots;
        let mut slots = shared.lock();
        loop {
            if slots.quit {
                return None;
            }
            if let Some(order) = slots.next.take() {
                let job = Job::new();
                slots.running = Some(Running {
                    job: job.clone(),
                    since: Instant::now(),
                    quick: None,
                });
                // One that the window has not taken yet is still shown if the next has the same ground; else dropping
                // it frees its array for the next.
                let costly = CostlyStages::of(&order.scene);
                let is_outdated = |made: &mut Made| CostlyStages::of(&made.scene) != costly;
                let outdated = slots.outbox.made.take_if(is_outdated);
                drop(slots);
                drop(outdated);
                return Some(Task::Make(Box::new(order), job));
            }
            if std::mem::take(&mut slots.mask_due) {
                let job = Job::new();
                slots.weighing = Some(job.clone());
                return Some(Task::Weigh(job));
            }
            let due = std::mem::take(&mut slots.statistics_due);
            let lacking = || {
                self.maker
                    .full()
                    .is_some_and(|full| self.measurer.lacks(full))
            };
            self.unmeasured |= slots.statistics && (due || lacking());
            if !self.unmeasured {
                slots = shared.wait(slots);
                continue;
            }
            let idle = |slots: &mut Slots| slots.next.is_none() && !slots.mask_due && !slots.quit;
            let (woken, is_pause) = shared.wait_while(slots, PAUSE, idle);
            slots = woken;
            if is_pause {
                let job = Job::new();
                slots.measuring = Some(job.clone());
                return Some(Task::Measure(job));
            }
        }
    }

    fn weigh(&mut self, job: &Job) {
        self.maker.weigh(job, &self.post);
    }

    fn serve(&mut self, order: &Order, job: &Job) {
        // A bug in a generator must cost one landscape, not the window.
        let failed = match caught(|| self.make(order, job)) {
            Some(Ok(()) | Err(NotMade::Cancelled)) => None,
            Some(Err(NotMade::Failed(words))) => Some(words),
            None => {
                self.maker = LandscapeBuilder::default();
                Some(tr("internal error while making the landscape").to_owned())
            }
        };
        let mut slots = self.post.slots.lock();
        slots.running = None;
        if let Some(words) = failed {
            slots.outbox.failed = Some((order.number, words));
        }
        drop(slots);
        self.post.tell();
    }

    fn make(&mut self, order: &Order, job: &Job) -> Result<(), NotMade> {
        let samples = self.maker.make(order, job, &self.post)?;
        self.unmeasured = true;
        let known = || {
            self.maker
                .full()
                .is_some_and(|full| self.measurer.knows(full))
        };
        if samples < MEASURE_LATER_FROM || known() {
            self.measure(job);
        }
        Ok(())
    }

    /// Compute the Hurst exponent of the last map, and all statistics if they are turned on.
    fn measure(&mut self, job: &Job) {
        self.unmeasured = false;
        let full = self.maker.full();
        let Some((full, map)) = full.and_then(|full| Some((full, full.map.upgrade()?))) else {
            return;
        };
        let hurst = self.measurer.hurst(full, &map);
        let number = full.number;
        self.post
            .put(|outbox| outbox.measured = Some((number, hurst)));
        if !self.post.slots.lock().statistics {
            return;
        }
        // A cancelled job is repeated at the next pause.
        if let Some(statistics) = self.measurer.statistics(full, &map, job) {
            self.post
                .put(|outbox| outbox.statistics = Some((number, statistics)));
        }
        if let Some(plants) = self.measurer.plants(full, job) {
            self.post
                .put(|outbox| outbox.plants = Some((number, plants)));
        }
    }
}

// Cache of the landscape's statistics. Edits of palette or light do not invalidate them.

/// Statistics of the last measured map.
#[derive(Default)]
pub struct Measurer {
    hurst: Option<Measure<MeasuredHurst>>,
    statistics: Option<Measure<Arc<Statistics>>>,
    /// Plants that were counted, and their number.
    plants: Option<(Weak<Scatter>, PlantCount)>,
}

/// Measured value with its key: the height map and the sea level.
struct Measure<T> {
    // A weak reference does not keep the large array of an outdated map alive.
    map: Weak<Heightmap>,
    sea: Option<f32>,
    value: T,
}

impl<T> Measure<T> {
    fn is_of(&self, full: &Full) -> bool {
        self.map.ptr_eq(&full.map) && self.sea == full.sea
    }
}

impl Measurer {
    /// True if the Hurst exponent of this landscape is cached.
    pub fn knows(&self, full: &Full) -> bool {
        self.hurst.as_ref().is_some_and(|hurst| hurst.is_of(full))
    }

    /// True if the landscape still exists and its statistics are not cached.
    pub fn lacks(&self, full: &Full) -> bool {
        let known = self
            .statistics
            .as_ref()
            .is_some_and(|known| known.is_of(full));
        (!known && full.map.strong_count() > 0) || self.lacks_plants(full)
    }

    /// True if the landscape has plants that are not counted.
    fn lacks_plants(&self, full: &Full) -> bool {
        let plants = full.plants.as_ref();
        plants.is_some_and(|plants| {
            let known = self.plants.as_ref();
            plants.strong_count() > 0 && !known.is_some_and(|(of, _)| of.ptr_eq(plants))
        })
    }

    /// Number of the plants of the landscape, `Some(None)` if it has none, or too many to count; `None` if cancelled.
    pub fn plants(&mut self, full: &Full, job: &Job) -> Option<Option<PlantCount>> {
        let Some((weak, scatter)) = (full.plants.as_ref())
            .and_then(|plants| Some((plants, plants.upgrade()?)))
            .filter(|(_, scatter)| scatter.most_in(scatter.whole()) <= MOST_PLANTS as f64)
        else {
            return Some(None);
        };
        if self.lacks_plants(full) {
            self.plants = Some((Weak::clone(weak), scatter.count(job).ok()?));
        }
        Some(self.plants.as_ref().map(|(_, count)| count.clone()))
    }

    /// Estimated Hurst exponent of the landscape with height map `map`.
    pub fn hurst(&mut self, full: &Full, map: &Heightmap) -> MeasuredHurst {
        let known = self.hurst.take().filter(|known| known.is_of(full));
        let measured = || {
            let hurst = measure::hurst(&variations(map));
            let value = hurst.map_or(MeasuredHurst::Undefined, MeasuredHurst::Estimated);
            let map = Weak::clone(&full.map);
            Measure {
                map,
                sea: full.sea,
                value,
            }
        };
        self.hurst.insert(known.unwrap_or_else(measured)).value
    }

    /// All statistics of the landscape with height map `map`; `None` if cancelled.
    pub fn statistics(
        &mut self,
        full: &Full,
        map: &Heightmap,
        job: &Job,
    ) -> Option<Arc<Statistics>> {
        let known = self.statistics.as_ref();
        if !known.is_some_and(|known| known.is_of(full)) {
            self.statistics = Some(Measure {
                map: Weak::clone(&full.map),
                sea: full.sea,
                value: Arc::new(measure::statistics(map, full.sea, job).ok()?),
            });
        }
        let known = self.statistics.as_ref()?;
        Some(Arc::clone(&known.value))
    }
}
