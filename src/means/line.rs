//! The mean of all samples up to a distance, along many rows or columns at once. It comes from a
//! running sum: the next sample enters it, and the last one leaves it.

/// The weights of a box: 1 for samples up to `whole` away, and `part` for the two beyond.
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

/// Two buffers of lines of `LANES` samples; each blur goes from one to the other.
pub(super) struct Buffers<const LANES: usize> {
    mean: RunningMean,
    from: Vec<[f32; LANES]>,
    to: Vec<[f32; LANES]>,
    /// For each line, and for those beyond both ends, the index of the line that it stands for.
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

    /// The lines to be blurred or, after [`Buffers::run`], the blurred ones.
    pub fn lines(&mut self) -> &mut [[f32; LANES]] {
        &mut self.from
    }

    /// Blurs the lines; `means` is [`running_means`].
    pub fn run(&mut self, means: impl Fn(&[[f32; LANES]], &[u32], Window, &mut [[f32; LANES]])) {
        for _ in 0..self.mean.times {
            means(&self.from, &self.places, self.mean.window, &mut self.to);
            std::mem::swap(&mut self.from, &mut self.to);
        }
    }
}

/// The indices of the lines that those at −`room` … `count` + `room` − 1 stand for, among `count`
/// lines.
fn places(count: usize, room: usize, wraps: bool) -> Vec<u32> {
    let last = count as isize - 1;
    // The last line is the first again.
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

/// Writes the means of `lines`; `places` come from [`places`] with a room of `whole` + 1.
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
