//! Rows of uniform displacements for subdivision algorithms other than diamond-square.

use crate::util::rng::{Jump, LANES, Stream, uniform};

/// Row of displacements whose memory is reused for each row.
#[derive(Clone, Debug)]
pub(crate) struct RoughRow {
    blocks: Vec<[f32; LANES]>,
    count: usize,
}

impl RoughRow {
    /// Allocate a row of `count` displacements.
    pub fn new(count: usize) -> Self {
        Self {
            blocks: vec![[0.0; LANES]; count.div_ceil(LANES)],
            count,
        }
    }

    /// Draw the displacements of `row` in [−range, range), in column order.
    pub fn draw(&mut self, stream: &Stream, row: usize, range: f32) -> &[f32] {
        let numbers = stream.lanes(row as u64, Jump::over(0));
        fill(numbers, range, &mut self.blocks);
        &self.blocks.as_flattened()[..self.count]
    }
}

vectorized! {
    fn fill(mut numbers: crate::util::rng::Lanes, range: f32, blocks: &mut [[f32; LANES]]) {
        numbers.fill(blocks, |bits| range * uniform(bits));
    }
}
