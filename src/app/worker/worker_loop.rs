//! Main loop of the worker thread: serves requests in turn, and computes statistics while idle.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use super::builder::{LandscapeBuilder, NotMade};
use super::exchange::{Exchange, Order, RequestSender, Slots};
use super::measurer::Measurer;
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
    pub fn new(exchange: Arc<Exchange>, wake: Box<dyn Fn() + Send>) -> Self {
        Self {
            post: RequestSender { exchange, wake },
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
                    self.maker.weigh(&job, &self.post);
                    self.post.exchange.lock().weighing = None;
                }
                Task::Measure(job) => {
                    self.measure(&job);
                    self.post.exchange.lock().measuring = None;
                }
            }
        }
    }

    /// Wait for the next task; `None` ends the thread. Statistics are delayed until a pause.
    fn next_task(&mut self) -> Option<Task> {
        let exchange = &self.post.exchange;
        let mut slots = exchange.lock();
        loop {
            if slots.quit {
                return None;
            }
            if let Some(order) = slots.next.take() {
                let job = Job::new();
                slots.running = Some((job.clone(), Instant::now()));
                let outdated = slots.outbox.made.take();
                drop(slots);
                // Dropping it frees its array for the next landscape.
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
                let woken = exchange.changed.wait(slots);
                slots = woken.unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let idle = |slots: &mut Slots| slots.next.is_none() && !slots.mask_due && !slots.quit;
            let woken = exchange.changed.wait_timeout_while(slots, PAUSE, idle);
            let (woken, pause) = woken.unwrap_or_else(PoisonError::into_inner);
            slots = woken;
            if pause.timed_out() {
                let job = Job::new();
                slots.measuring = Some(job.clone());
                return Some(Task::Measure(job));
            }
        }
    }

    fn serve(&mut self, order: &Order, job: &Job) {
        // A bug in a generator must cost one landscape, not the window.
        let outcome = catch_unwind(AssertUnwindSafe(|| self.make(order, job)));
        let failed = match outcome {
            Ok(Ok(()) | Err(NotMade::Cancelled)) => None,
            Ok(Err(NotMade::Failed(words))) => Some(words),
            Err(_) => {
                self.maker = LandscapeBuilder::default();
                Some(tr("internal error while making the landscape").to_owned())
            }
        };
        let mut slots = self.post.exchange.lock();
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
        if !self.post.exchange.lock().statistics {
            return;
        }
        // A cancelled job is repeated at the next pause.
        if let Some(statistics) = self.measurer.statistics(full, &map, job) {
            self.post
                .put(|outbox| outbox.statistics = Some((number, statistics)));
        }
    }
}
