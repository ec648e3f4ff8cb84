//! Moving average (box filter) by a running sum, along many rows or columns at once. At each step one
//! sample enters the sum and one leaves it.

/// Box window: weight 1 for samples up to `whole` away, and `part` for the next one on either side.
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

/// Box filter with its number of passes and its border handling.
#[derive(Clone, Copy)]
pub(super) struct RunningMean {
    pub window: Window,
    pub times: usize,
    pub wraps: bool,
}

/// Double buffer of lines with `LANES` samples each; each pass reads one and writes the other.
pub(super) struct Buffers<const LANES: usize> {
    mean: RunningMean,
    from: Vec<[f32; LANES]>,
    to: Vec<[f32; LANES]>,
    /// Source line of each line, with a margin beyond both ends.
    places: Vec<u32>,
}

impl<const LANES: usize> Buffers<LANES> {
    pub fn new(mean: RunningMean, count: usize) -> Self {
        Self {
            mean,
            from: vec![[0.0; LANES]; count],
            to: vec![[0.0; LANES]; count],
            places: places(count, mean.window.whole + 1, mean.wraps),
        }
    }

    /// Input lines, or the filtered lines after [`Buffers::run`].
    pub fn lines(&mut self) -> &mut [[f32; LANES]] {
        &mut self.from
    }

    /// Filter the lines; `means` is [`running_means`].
    pub fn run(&mut self, means: impl Fn(&[[f32; LANES]], &[u32], Window, &mut [[f32; LANES]])) {
        for _ in 0..self.mean.times {
            means(&self.from, &self.places, self.mean.window, &mut self.to);
            std::mem::swap(&mut self.from, &mut self.to);
        }
    }
}

/// Source indices of the lines −`room` … `count` + `room` − 1, wrapped or clamped to `count` lines.
fn places(count: usize, room: usize, wraps: bool) -> Vec<u32> {
    let last = count as isize - 1;
    // The last line repeats the first.
    let period = last.max(1);
    let place = |line: isize| match line {
        inside if (0..=last).contains(&inside) => inside,
        beyond if wraps => beyond.rem_euclid(period).min(last),
        beyond => beyond.clamp(0, last),
    };
    let room = room as isize;
    let lines = -room..last + 1 + room;
    lines.map(|line| place(line) as u32).collect()
}

/// Compute the means of `lines`; `places` come from [`places`] with a room of `whole` + 1.
#[inline(always)]
pub(super) fn running_means<const LANES: usize>(
    lines: &[[f32; LANES]],
    places: &[u32],
    window: Window,
    means: &mut [[f32; LANES]],
) {
    let Window { whole, part, scale } = window;
    let line = |place: u32| &lines[place as usize];
    let mut sums = [0.0f64; LANES];
    for place in &places[1..2 * whole + 2] {
        let line = line(*place);
        for lane in 0..LANES {
            sums[lane] += f64::from(line[lane]);
        }
    }
    let count = means.len();
    let (outside, leaving) = (&places[..count], &places[1..][..count]);
    let entering = &places[2 * whole + 2..][..count];
    for (index, mean) in means.iter_mut().enumerate() {
        let (outside, leaving) = (line(outside[index]), line(leaving[index]));
        let entering = line(entering[index]);
        for lane in 0..LANES {
            let enters = f64::from(entering[lane]);
            let partly = part * (f64::from(outside[lane]) + enters);
            mean[lane] = ((sums[lane] + partly) * scale) as f32;
            sums[lane] += enters - f64::from(leaving[lane]);
        }
    }
}
