//! SIMD kernels of a horizon sweep over one row of lines, compiled for several instruction sets. None of
//! these rounds differently, so all give the same bits.

/// Number of lines processed at once.
pub(super) const LANES: usize = 16;
/// Number of these lines and the neighbour of the first or last.
const WITH_NEIGHBOUR: usize = LANES + 1;

/// Shadow height where nothing casts a shadow.
pub(super) const NONE: f32 = -1e30;

/// Light sampled at `K` slopes, from low to high.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slopes<const K: usize> {
    /// Descent of the shadow of each slope from row to row.
    pub(super) drops: [f32; K],
    /// Share of the light between each slope and the next; the last one's share is all above it.
    pub(super) weights: [f32; K],
    /// Height over which a shadow's edge is smoothed, however near its caster is; above 0.
    pub(super) softness: f32,
}

/// Shadow heights of `K` slopes over each line, as they enter a row. Index 0 repeats the last line, and the
/// lines begin at index 1; their number is rounded up to [`LANES`].
pub(super) type Shadows<const K: usize> = [Vec<f32>; K];

/// Create shadow heights for `lines` lines without any shadow.
pub(super) fn no_shadows<const K: usize>(lines: usize) -> Shadows<K> {
    std::array::from_fn(|_| vec![NONE; lines.next_multiple_of(LANES) + 1])
}

/// Kernels for one light. `pass` and `shade` take the shadows, the heights left of the lines (one more than
/// lines, rounded up), and the distance of the lines to the right of those, 0…1 columns.
pub(super) struct Kernel<const K: usize, T> {
    /// Propagate shadows over a row.
    pub(super) pass: fn(&mut Shadows<K>, &[f32], f32, &Slopes<K>),
    /// Propagate shadows over a row, and write the hidden share of the light at its heights into the buffer.
    pub(super) shade: fn(&mut Shadows<K>, &[f32], f32, &Slopes<K>, &mut [f32]),
    /// Write samples from their hidden shares, for a light of this brightness.
    pub(super) write: fn(&mut [T], &[f32], f32),
}

/// Kernels for a sun with its lower and upper edge; brightness 255 writes all of its light as 255.
pub(super) const SUN: Kernel<2, u8> = Kernel {
    pass: pass_sun,
    shade: shade_sun,
    write: write_sun,
};

/// Kernels for the sky in one direction, which accumulate brightness per sample.
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

    /// Write the hidden share of a disc between two slopes, as a linear share of its height.
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

    /// Write the hidden share of the sky. The horizon lies between two slopes, where the shadow of one is
    /// above the sample and that of the next below; so one division is enough.
    fn shade_sky(
        shadows: &mut Shadows<6>,
        heights: &[f32],
        part: f32,
        slopes: &Slopes<6>,
        hidden: &mut [f32],
    ) {
        let weights = slopes.weights;
        // Extrapolated shadow beyond the last slope.
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

/// Share of a disc above a horizontal line that leaves this share of its height above it; within 0.02.
#[inline(always)]
pub(super) fn disc(height: f32) -> f32 {
    let height = lower(higher(height, 0.0), 1.0);
    height * height * (3.0 - 2.0 * height)
}

/// Round to the nearest whole number from 0 to 65535: the lowest bits of the sum with 2^23. A conversion
/// would check the range of each number.
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

/// Propagate shadows over a row, and write the result of `part_hidden`: the hidden share of the light for
/// shadows that are this far above a sample.
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
    // From the last to the first, since each line needs the old shadow of its left neighbour.
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

// These compile to one instruction each; the methods of `f32` also check for NaN.
#[inline(always)]
fn higher(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[inline(always)]
fn lower(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}
