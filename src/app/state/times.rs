//! How long each step of the landscape took when it was last made.

use std::time::{Duration, Instant};

use crate::pipeline::StageDone;

/// The newest time of every layer and modifier. A step that was reused keeps its time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepTimes {
    layers: Vec<Option<Duration>>,
    modifiers: Vec<Option<Duration>>,
}

impl StepTimes {
    /// The time that the layer of that index took.
    #[must_use]
    pub fn layer(&self, index: usize) -> Option<Duration> {
        self.layers.get(index).copied().flatten()
    }

    /// The time that the modifier of that index took.
    #[must_use]
    pub fn modifier(&self, index: usize) -> Option<Duration> {
        self.modifiers.get(index).copied().flatten()
    }

    /// Takes over newer times.
    pub fn update(&mut self, newer: &StepTimes) {
        overlay(&mut self.layers, &newer.layers);
        overlay(&mut self.modifiers, &newer.modifiers);
    }
}

fn overlay(times: &mut Vec<Option<Duration>>, newer: &[Option<Duration>]) {
    for (index, time) in newer.iter().enumerate() {
        if time.is_some() {
            put(times, index, *time);
        }
    }
}

fn put(times: &mut Vec<Option<Duration>>, index: usize, time: Option<Duration>) {
    if times.len() <= index {
        times.resize(index + 1, None);
    }
    times[index] = time;
}

/// Takes the time from one finished stage to the next.
pub struct Stopwatch {
    last: Instant,
    /// The times taken so far.
    pub times: StepTimes,
}

impl Stopwatch {
    /// A stopwatch that starts now.
    #[must_use]
    pub fn start() -> Self {
        Self {
            last: Instant::now(),
            times: StepTimes::default(),
        }
    }

    /// Takes the time of a stage that is done.
    pub fn done(&mut self, stage: StageDone) {
        let now = Instant::now();
        let took = Some(now - std::mem::replace(&mut self.last, now));
        match stage {
            StageDone::Layer(index) => put(&mut self.times.layers, index, took),
            StageDone::Modifier(index) => put(&mut self.times.modifiers, index, took),
            _ => {}
        }
    }
}
