//! Computing time of each layer and modifier, from when it was last computed.

use std::time::{Duration, Instant};

use crate::pipeline::StageDone;

/// Latest computing time of every layer and modifier. A step that was reused keeps its time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepTimes {
    layers: Vec<Option<Duration>>,
    modifiers: Vec<Option<Duration>>,
}

impl StepTimes {
    /// Computing time of the layer with that index.
    #[must_use]
    pub fn layer(&self, index: usize) -> Option<Duration> {
        self.layers.get(index).copied().flatten()
    }

    /// Computing time of the modifier with that index.
    #[must_use]
    pub fn modifier(&self, index: usize) -> Option<Duration> {
        self.modifiers.get(index).copied().flatten()
    }

    /// Overwrite the times with newer ones, where there are any.
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

/// Stopwatch for the time between finished stages.
pub struct Stopwatch {
    last: Instant,
    /// Times measured so far.
    pub times: StepTimes,
}

impl Stopwatch {
    /// Start a stopwatch.
    #[must_use]
    pub fn start() -> Self {
        Self {
            last: Instant::now(),
            times: StepTimes::default(),
        }
    }

    /// Record the time of a finished stage.
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
