//! A list of modifiers and what it last made. After a change only the steps from the first changed
//! one on are applied again.

use std::sync::{Arc, Weak};

use rayon::prelude::*;

use crate::heightmap::{Heightmap, Heights};
use crate::job::{Cancelled, Job};

use super::{Context, Modifier, ModifyError};

/// The bytes of maps between steps that are kept: fifteen maps of 1025², three of 2049², none from
/// 4097² on. There the memory is worth more than the milliseconds, since nearly every step costs at
/// most ten times as much as writing the map once, and only the generated map and the result are
/// kept.
const KEPT_BYTES: usize = 64 << 20;

/// The steps that were applied last, and the maps after some of them.
#[derive(Debug, Default)]
pub struct Chain {
    /// The map that the steps were applied to. The reference is weak, so that whoever made the map
    /// can reuse its memory.
    source: Weak<Heightmap>,
    seed: u64,
    water: Option<f32>,
    steps: Vec<Modifier>,
    /// The maps by the number of steps done, in rising order; the last is the result.
    kept: Vec<(usize, Arc<Heightmap>)>,
}

impl Chain {
    /// The map `source` after every step of `modifiers` that is on, in order. Without any such step
    /// it is `source` itself; without a change it is the same `Arc` as before. `applied` is called
    /// after each step that was applied, with its index in the list.
    ///
    /// # Errors
    /// The same as those of [`Modifier::apply`]; the steps before the failed one are kept.
    pub fn run(
        &mut self,
        source: &Arc<Heightmap>,
        modifiers: &[Modifier],
        context: &Context<'_>,
        applied: &mut dyn FnMut(usize),
    ) -> Result<Arc<Heightmap>, ModifyError> {
        let on = modifiers.iter().enumerate().filter(|(_, step)| step.on);
        let (indices, steps): (Vec<usize>, Vec<Modifier>) =
            on.map(|(index, step)| (index, step.clone())).unzip();
        let count = steps.len();
        let unchanged = if self.seed == context.seed && self.source.as_ptr() == Arc::as_ptr(source)
        {
            let pairs = self.steps.iter().zip(&steps);
            let same_water = self.water == context.water;
            pairs
                .take_while(|(old, new)| old == new && (same_water || !new.sees_water()))
                .count()
        } else {
            0
        };
        let known = self.kept.iter().rev().find(|(done, _)| *done <= unchanged);
        let (done, from) = known.cloned().unwrap_or((0, Arc::clone(source)));

        self.source = Arc::downgrade(source);
        self.seed = context.seed;
        self.water = context.water;
        self.steps = steps;
        let room = KEPT_BYTES / size_of_val(source.heights()).max(1);
        // Most likely the same step will change again next, or else one near the end.
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
        drop(from);
        let pending = self.steps.iter().zip(indices).enumerate().skip(done);
        for (before, (step, index)) in pending {
            step.apply(&mut map, context)?;
            applied(index);
            let done = before + 1;
            if done < count && keep(done) {
                self.kept
                    .push((done, Arc::new(copy(&map, None, context.job)?)));
            }
        }
        let map = Arc::new(map);
        self.kept.push((count, Arc::clone(&map)));
        Ok(map)
    }
}

/// A copy of `map`, in the memory of `spare` if it fits there.
pub(crate) fn copy(
    map: &Heightmap,
    spare: Option<Heights>,
    job: &Job,
) -> Result<Heightmap, ModifyError> {
    let heights = map.heights();
    let fitting = spare.filter(|spare| spare.len() == heights.len());
    let mut to = match fitting.or_else(|| Heights::zeros(heights.len())) {
        Some(to) => to,
        None => {
            return Err(ModifyError::OutOfMemory {
                bytes: size_of_val(heights) as u64,
            });
        }
    };
    const BAND: usize = 1 << 16;
    let bands = to.par_chunks_mut(BAND).zip(heights.par_chunks(BAND));
    bands.try_for_each(|(to, from)| {
        job.check()?;
        to.copy_from_slice(from);
        Ok::<_, Cancelled>(())
    })?;
    let copy = Heightmap::new(map.rows(), map.columns(), map.wraps(), to);
    Ok(copy.with_worn(map.worn().cloned()).with_base(map.base()))
}
