//! The mean of all samples up to a distance, along many rows or columns at once: a sum that the
//! next sample enters and the last one leaves.

/// The weights of a box: 1 for samples up to `whole` away, `part` for the two beyond.
#[derive(Clone, Copy)]
pub(super) struct Window {
    whole: usize,
    part: f64,
    scale: f64,
}

impl Window {
    pub fn new(radius: f64) -> Self {
        Self {
            whole: radius as usize,
            part: radius.fract(),
            scale: 1.0 / (2.0 * radius + 1.0),
        }
    }
}

/// A box, how often it is applied, and what lies beyond the ends.
#[derive(Clone, Copy)]
pub(super) struct RunningMean {
    pub window: Window,
    pub times: usize,
    pub wraps: bool,
}

/// Two buffers of lines of `LANES` samples, from one to the other and back, with room beyond
/// both ends.
pub(super) struct Buffers<const LANES: usize> {
    mean: RunningMean,
    count: usize,
    from: Vec<[f32; LANES]>,
    to: Vec<[f32; LANES]>,
}

impl<const LANES: usize> Buffers<LANES> {
    pub fn new(mean: RunningMean, count: usize) -> Self {
        let lines = count + 2 * (mean.window.whole + 1);
        Self {
            mean,
            count,
            from: vec![[0.0; LANES]; lines],
            to: vec![[0.0; LANES]; lines],
        }
    }

    /// The lines to be blurred, and after [`Buffers::run`] the blurred ones.
    pub fn input(&mut self) -> &mut [[f32; LANES]] {
        &mut self.from[self.mean.window.whole + 1..][..self.count]
    }

    pub fn run(&mut self, means: impl Fn(&[[f32; LANES]], Window, &mut [[f32; LANES]])) {
        let room = self.mean.window.whole + 1;
        for _ in 0..self.mean.times {
            extend(&mut self.from, room, self.mean.wraps);
            let to = &mut self.to[room..][..self.count];
            means(&self.from, self.mean.window, to);
            std::mem::swap(&mut self.from, &mut self.to);
        }
    }
}

/// Fills the `room` lines beyond either end.
fn extend<const LANES: usize>(lines: &mut [[f32; LANES]], room: usize, wraps: bool) {
    let last = lines.len() - 2 * room - 1;
    // The last line is the first again.
    let period = last.max(1);
    for beyond in 1..=room {
        let (before, after) = if wraps {
            let turn = (beyond - 1) % period + 1;
            (last.max(1) - turn, turn.min(last))
        } else {
            (0, last)
        };
        lines[room - beyond] = lines[room + before];
        lines[room + last + beyond] = lines[room + after];
    }
}

/// The means of `lines`, which have `whole` + 1 more at either end than `means`.
#[inline(always)]
pub(super) fn running_means<const LANES: usize>(
    lines: &[[f32; LANES]],
    window: Window,
    means: &mut [[f32; LANES]],
) {
    let Window { whole, part, scale } = window;
    let mut sums = [0.0f64; LANES];
    for line in &lines[1..2 * whole + 2] {
        for lane in 0..LANES {
            sums[lane] += f64::from(line[lane]);
        }
    }
    let count = means.len();
    let (outside, leaving) = (&lines[..count], &lines[1..][..count]);
    let entering = &lines[2 * whole + 2..][..count];
    for index in 0..count {
        let (outside, leaving) = (&outside[index], &leaving[index]);
        let (entering, mean) = (&entering[index], &mut means[index]);
        for lane in 0..LANES {
            let enters = f64::from(entering[lane]);
            let partly = part * (f64::from(outside[lane]) + enters);
            mean[lane] = ((sums[lane] + partly) * scale) as f32;
            sums[lane] += enters - f64::from(leaving[lane]);
        }
    }
}
