//! The inner loops of a sweep over one row of lines, compiled for several instruction sets. None of
//! these rounds differently, so all give the same bits.

/// The number of lines worked on at once.
pub(super) const LANES: usize = 16;
/// These lines and the neighbour of the first or last.
const WITH_NEIGHBOUR: usize = LANES + 1;

/// The height of a shadow that nothing casts.
pub(super) const NONE: f32 = -1e30;

/// Light at `K` slopes, from low to high.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slopes<const K: usize> {
    /// By how much the shadow of each slope falls from row to row.
    pub(super) drops: [f32; K],
    /// The part of the light between each slope and the next; the last one's part is all above it.
    pub(super) weights: [f32; K],
    /// The height over which a shadow's edge is smoothed, however near its caster is; above 0.
    pub(super) softness: f32,
}

/// The heights of the shadows of `K` slopes over each line, as they come into a row. Place 0
/// repeats the last line, and the lines begin at place 1; their number is rounded up to [`LANES`].
pub(super) type Shadows<const K: usize> = [Vec<f32>; K];

/// Shadows over `lines` lines that nothing casts.
pub(super) fn no_shadows<const K: usize>(lines: usize) -> Shadows<K> {
    std::array::from_fn(|_| vec![NONE; lines.next_multiple_of(LANES) + 1])
}

/// The loops for one light. `pass` and `shade` take the shadows, the heights left of the lines (one
/// more than lines, rounded up), and how far right of those the lines are, 0…1 columns.
pub(super) struct Kernel<const K: usize, T> {
    /// Carries shadows over a row.
    pub(super) pass: fn(&mut Shadows<K>, &[f32], f32, &Slopes<K>),
    /// Carries shadows over a row, and writes into the buffer the part of the light that is hidden
    /// at those heights.
    pub(super) shade: fn(&mut Shadows<K>, &[f32], f32, &Slopes<K>, &mut [f32]),
    /// Writes samples from their hidden parts, for a light of this brightness.
    pub(super) write: fn(&mut [T], &[f32], f32),
}

/// The loops for a sun with its lower and upper edge; brightness 255 writes all of its light as
/// 255.
pub(super) const SUN: Kernel<2, u8> = Kernel {
    pass: pass_sun,
    shade: shade_sun,
    write: write_sun,
};

/// The loops for the sky above one direction, which add up to brightness a sample.
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

    /// Writes the hidden part of a disc between two slopes, from linear parts of its height.
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

    /// Writes the hidden part of the sky. A horizon lies between two slopes, where the shadow of
    /// one is above the sample and that of the next below; so one division is enough.
    fn shade_sky(
        shadows: &mut Shadows<6>,
        heights: &[f32],
        part: f32,
        slopes: &Slopes<6>,
        hidden: &mut [f32],
    ) {
        let weights = slopes.weights;
        // The height of a further shadow, if shadows went on falling beyond the last as they do
        // there.
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

/// The part of a disc above a level line that has this part of its height above it; within 0.02.
#[inline(always)]
pub(super) fn disc(height: f32) -> f32 {
    let height = lower(higher(height, 0.0), 1.0);
    height * height * (3.0 - 2.0 * height)
}

/// The whole number nearest to one from 0 to 65535: the last bits of its sum with 2^23. A
/// conversion would check each number for whether it fits.
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

/// Carries shadows over a row and writes what `part_hidden` gives: the hidden part of the light
/// where its shadows are this far above a sample.
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
    // The order is from the last to the first, since each needs the old shadow of its left
    // neighbour.
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

// These are one instruction each; the methods of `f32` check for NaN as well.
#[inline(always)]
fn higher(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[inline(always)]
fn lower(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}
