//! The inner loops of a sweep: one row of lines, compiled for several instruction sets. None of
//! them rounds differently, so all give the same bits.

/// Lines worked on at once.
pub(super) const LANES: usize = 16;
/// As many, and the neighbour of the first or last.
const WITH_NEIGHBOUR: usize = LANES + 1;

/// The height of a shadow that nothing casts.
pub(super) const NONE: f32 = -1e30;

/// Light at `K` slopes, from low to high.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slopes<const K: usize> {
    /// By how much each slope falls from row to row.
    pub(super) drops: [f32; K],
    /// What part of the light lies between each slope and the next; the last one's is above it.
    pub(super) weights: [f32; K],
    /// Height over which a shadow's edge is smoothed however near its caster, > 0.
    pub(super) softness: f32,
}

/// Heights of the shadows of `K` slopes over each line, as they come into a row. Place 0 is the
/// last line once more, the lines begin at place 1; their number is rounded up to [`LANES`].
pub(super) type Shadows<const K: usize> = [Vec<f32>; K];

/// Shadows that nothing casts, over `lines`.
pub(super) fn no_shadows<const K: usize>(lines: usize) -> Shadows<K> {
    std::array::from_fn(|_| vec![NONE; lines.next_multiple_of(LANES) + 1])
}

/// The loops for one light. Both take the shadows, the heights left of the lines (one more than
/// lines, rounded up), and how far right of those the lines are, 0…1 columns.
pub(super) struct Kernel<const K: usize, T> {
    /// Carries shadows over a row.
    pub(super) pass: fn(&mut Shadows<K>, &[f32], f32, &Slopes<K>),
    /// The same, and puts into the buffer what part of the light is hidden at those heights.
    pub(super) shade: fn(&mut Shadows<K>, &[f32], f32, &Slopes<K>, &mut [f32]),
    /// Writes samples, of as many hidden parts, for light that is so bright.
    pub(super) write: fn(&mut [T], &[f32], f32),
}

/// A sun's lower and upper edge; brightness 255 writes all of it as 255.
pub(super) const SUN: Kernel<2, u8> = Kernel {
    pass: pass_sun,
    shade: shade_sun,
    write: write_sun,
};

/// The sky above one direction; adds up to brightness a sample.
pub(super) const SKY: Kernel<6, u16> = Kernel {
    pass: pass_sky,
    shade: shade_sky,
    write: add_sky,
};

vectorized! {
    fn pass_sun(shadows: &mut Shadows<2>, heights: &[f32], part: f32, slopes: &Slopes<2>) {
        pass(shadows, heights, part, slopes);
    }

    fn pass_sky(shadows: &mut Shadows<6>, heights: &[f32], part: f32, slopes: &Slopes<6>) {
        pass(shadows, heights, part, slopes);
    }

    /// What is hidden of a disc between two slopes: its height in linear parts.
    fn shade_sun(
        shadows: &mut Shadows<2>,
        heights: &[f32],
        part: f32,
        slopes: &Slopes<2>,
        hidden: &mut [f32],
    ) {
        shade(
            shadows,
            heights,
            part,
            slopes,
            hidden,
            |[lower_edge, upper_edge]| {
                let between = higher(lower_edge - upper_edge, 0.0) + slopes.softness;
                lower(higher(lower_edge, 0.0) / between, 1.0)
            },
        );
    }

    /// What is hidden of the sky. A horizon lies between two slopes, the shadow of one above the
    /// sample and that of the next below: so one division does.
    fn shade_sky(
        shadows: &mut Shadows<6>,
        heights: &[f32],
        part: f32,
        slopes: &Slopes<6>,
        hidden: &mut [f32],
    ) {
        let weights = slopes.weights;
        // Where a shadow above the last would be, if it went on falling as it does there.
        let beyond = -1.5 * slopes.drops[5];
        shade(shadows, heights, part, slopes, hidden, |over| {
            let (mut above, mut below) = (0.0, over[0]);
            let (mut sum, mut weight) = (0.0, 0.0);
            for k in 0..6 {
                let in_it = over[k] > 0.0;
                let next = if k < 5 { over[k + 1] } else { beyond };
                above = if in_it { over[k] } else { above };
                below = if in_it { next } else { below };
                sum += if in_it { weight } else { 0.0 };
                weight = if in_it { weights[k] } else { weight };
            }
            let between = above - lower(below, 0.0) + slopes.softness;
            sum + weight * lower(above / between, 1.0)
        });
    }

    fn write_sun(out: &mut [u8], hidden: &[f32], brightness: f32) {
        for (out, hidden) in out.iter_mut().zip(hidden) {
            *out = rounded(disc(1.0 - hidden) * brightness) as u8;
        }
    }

    fn add_sky(out: &mut [u16], hidden: &[f32], brightness: f32) {
        for (out, hidden) in out.iter_mut().zip(hidden) {
            *out += rounded(higher(1.0 - hidden, 0.0) * brightness) as u16;
        }
    }
}

/// The part of a disc above a level line, of which that part of its height is above it; within
/// 0.02.
#[inline(always)]
pub(super) fn disc(height: f32) -> f32 {
    let height = lower(higher(height, 0.0), 1.0);
    height * height * (3.0 - 2.0 * height)
}

/// The nearest whole number to one from 0 to 65535: the last bits of a sum with 2^23. A
/// conversion would ask for what does not fit, one by one.
#[inline(always)]
fn rounded(number: f32) -> u32 {
    (number + 8_388_608.0).to_bits() & 0xFFFF
}

#[inline(always)]
fn pass<const K: usize>(shadows: &mut Shadows<K>, heights: &[f32], part: f32, slopes: &Slopes<K>) {
    let count = heights.len() - 1;
    for base in (0..count).step_by(LANES) {
        let on_line = on_line(heights, base, part);
        for (shadow, drop) in shadows.iter_mut().zip(slopes.drops) {
            let shadow = &mut shadow[base + 1..][..LANES];
            for i in 0..LANES {
                shadow[i] = higher(shadow[i], on_line[i]) - drop;
            }
        }
    }
}

/// `part_hidden` says what is hidden of the light where its shadows are so much above a sample.
#[inline(always)]
fn shade<const K: usize>(
    shadows: &mut Shadows<K>,
    heights: &[f32],
    part: f32,
    slopes: &Slopes<K>,
    hidden: &mut [f32],
    part_hidden: impl Fn([f32; K]) -> f32,
) {
    let count = heights.len() - 1;
    // From the last to the first: each needs its left neighbour's shadow as it was.
    for base in (0..count).step_by(LANES).rev() {
        let on_line = on_line(heights, base, part);
        let own = &heights[base..][..LANES];
        let mut over = [[0.0; LANES]; K];
        for k in 0..K {
            let shadow = &mut shadows[k][base..][..WITH_NEIGHBOUR];
            for i in 0..LANES {
                let (left, right) = (shadow[i], shadow[i + 1]);
                over[k][i] = right + part * (left - right) - own[i];
            }
            for i in 0..LANES {
                shadow[i + 1] = higher(shadow[i + 1], on_line[i]) - slopes.drops[k];
            }
        }
        let out = &mut hidden[base..][..LANES];
        for i in 0..LANES {
            out[i] = part_hidden(std::array::from_fn(|k| over[k][i]));
        }
    }
}

#[inline(always)]
fn on_line(heights: &[f32], base: usize, part: f32) -> [f32; LANES] {
    let heights = &heights[base..][..WITH_NEIGHBOUR];
    let mut out = [0.0; LANES];
    for i in 0..LANES {
        out[i] = heights[i] + part * (heights[i + 1] - heights[i]);
    }
    out
}

// One instruction each; the methods of `f32` ask for NaN as well.
#[inline(always)]
fn higher(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[inline(always)]
fn lower(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}
