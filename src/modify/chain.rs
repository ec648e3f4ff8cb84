//! Incremental evaluation of a list of modifiers: results between steps are cached, and a change
//! recomputes only the steps from the first changed one on.

use std::sync::{Arc, Weak};

use crate::modify::mask::copy;
use crate::terrain::heightmap::Heightmap;

use super::{Context, Modifier, ModifyError};

/// Memory for cached maps between steps, in bytes: fifteen maps of 1025², three of 2049², none from
/// 4097² on. For large maps the memory is worth more than the milliseconds, since every step costs at
/// most ten times as much as writing the map once; only the generated map and the result are kept.
const KEPT_BYTES: usize = 64 << 20;

/// Cache of the last evaluation: its steps, and the maps after some of them.
#[derive(Debug, Default)]
pub struct Chain {
    /// Input map of the steps. The reference is weak, so that the owner of the map can reuse its memory.
    source: Weak<Heightmap>,
    seed: u64,
    steps: Vec<Step>,
    /// Cached maps by the number of steps done, in rising order; the last is the result.
    kept: Vec<(usize, Arc<Heightmap>)>,
}

/// Applied step, and the water level if the step depends on it.
type Step = (Modifier, Option<f32>);

impl Chain {
    /// Apply every active step of `modifiers` to `source`, in order. Without such a step the result is
    /// `source` itself; without a change it is the same `Arc` as before. `applied` is called after each
    /// step that was applied, with its index in the list.
    ///
    /// A change of the water level counts as a change of those steps that depend on it. Tile size and
    /// images must be those of the map's generation.
    ///
    /// # Errors
    /// The same as those of [`Modifier::apply`]; the steps before the failed one stay cached.
    pub fn run(
        &mut self,
        source: &Arc<Heightmap>,
        modifiers: &[Modifier],
        context: &Context<'_>,
        applied: &mut dyn FnMut(usize),
    ) -> Result<Arc<Heightmap>, ModifyError> {
        let (indices, steps) = steps_on(modifiers, context);
        let count = steps.len();
        let unchanged = self.unchanged(source, &steps, context);
        let (done, from) = self.known(source, unchanged);

        self.source = Arc::downgrade(source);
        self.seed = context.seed;
        self.steps = steps;
        let room = KEPT_BYTES / size_of_val(source.heights()).max(1);
        // The next change is most likely in the same step, or else in one near the end.
        let keep = |done: usize| {
            done == count
                || (done < count && room > 0 && (done == unchanged || done + room > count))
        };
        let spare = match self.kept.last() {
            Some((last, _)) if *last > unchanged => self.kept.pop(),
            _ => None,
        };
        self.kept
            .retain(|(done, _)| *done <= unchanged && keep(*done));
        if done == count {
            return Ok(from);
        }
        let spare = spare.and_then(|(_, map)| Arc::into_inner(map));
        let mut map = copy(&from, spare.map(Heightmap::into_heights), context.job)?;
        // Map before a step, if it is in memory anyway.
        let mut source = Some(from);
        let slow = |steps: &[Step]| steps.iter().filter(|(step, _)| step.is_slow()).count();
        let all_slow = slow(&self.steps[done..]).max(1);
        let pending = self.steps.iter().zip(indices).enumerate().skip(done);
        for (before, ((step, _), index)) in pending {
            let beside = source.take();
            let job = &context.job.share(slow(&self.steps[done..before]), all_slow);
            let context = &Context { job, ..*context };
            step.apply_beside(beside.as_deref(), &mut map, context)
                .map_err(|error| error.of_step(index))?;
            applied(index);
            let done = before + 1;
            if done < count && keep(done) {
                let made = Arc::new(copy(&map, None, context.job)?);
                self.kept.push((done, Arc::clone(&made)));
                source = Some(made);
            }
        }
        let map = Arc::new(map);
        self.kept.push((count, Arc::clone(&map)));
        Ok(map)
    }

    /// Apply `modifiers` to `source` like [`Chain::run`], reading the cache but leaving it unchanged: for
    /// a look at the land before a step.
    ///
    /// # Errors
    /// The same as those of [`Chain::run`].
    pub fn after(
        &self,
        source: &Arc<Heightmap>,
        modifiers: &[Modifier],
        context: &Context<'_>,
    ) -> Result<Arc<Heightmap>, ModifyError> {
        let (indices, steps) = steps_on(modifiers, context);
        let (done, from) = self.known(source, self.unchanged(source, &steps, context));
        if done == steps.len() {
            return Ok(from);
        }
        let mut map = copy(&from, None, context.job)?;
        let mut beside = Some(from);
        for (index, (step, _)) in indices.into_iter().zip(steps).skip(done) {
            step.apply_beside(beside.take().as_deref(), &mut map, context)
                .map_err(|error| error.of_step(index))?;
        }
        Ok(Arc::new(map))
    }

    /// Number of leading `steps` that equal those of the last run over the same map.
    fn unchanged(&self, source: &Arc<Heightmap>, steps: &[Step], context: &Context<'_>) -> usize {
        if self.seed != context.seed || self.source.as_ptr() != Arc::as_ptr(source) {
            return 0;
        }
        let pairs = self.steps.iter().zip(steps);
        pairs.take_while(|(old, new)| old == new).count()
    }

    /// Cached map after as many as possible of the first `most` steps, and the number of these steps.
    fn known(&self, source: &Arc<Heightmap>, most: usize) -> (usize, Arc<Heightmap>) {
        let known = self.kept.iter().rev().find(|(done, _)| *done <= most);
        known.cloned().unwrap_or((0, Arc::clone(source)))
    }
}

/// Active steps, and their indices in the list.
fn steps_on(modifiers: &[Modifier], context: &Context<'_>) -> (Vec<usize>, Vec<Step>) {
    let on = modifiers.iter().enumerate().filter(|(_, step)| step.acts());
    let water = |step: &Modifier| context.water.filter(|_| step.sees_water());
    on.map(|(index, step)| (index, (step.clone(), water(step))))
        .unzip()
}
