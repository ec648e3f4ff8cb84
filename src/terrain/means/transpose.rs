//! Blockwise transposition of rows to columns and back, sixteen rows at a time.

/// Rows per block: the lanes of the widest vector instructions.
pub(super) const ROWS: usize = 16;
/// Sixteen samples of sixteen rows.
type Block = [[f32; ROWS]; ROWS];

vectorized! {
    /// Transpose up to sixteen rows to lines of sixteen lanes.
    pub(super) fn transpose_in(rows: &[f32], columns: usize, lines: &mut [[f32; ROWS]]) {
        let (blocks, rest) = lines.as_chunks_mut::<ROWS>();
        let whole = blocks.len() * ROWS;
        for (block, lines) in blocks.iter_mut().enumerate() {
            for (line, row) in lines.iter_mut().zip(rows.chunks_exact(columns)) {
                *line = *row[block * ROWS..].first_chunk().expect("a whole block");
            }
            transpose(lines);
        }
        for (lane, row) in rows.chunks_exact(columns).enumerate() {
            for (line, height) in rest.iter_mut().zip(&row[whole..]) {
                line[lane] = *height;
            }
        }
    }

    /// Transpose the lines back to rows.
    pub(super) fn transpose_out(lines: &[[f32; ROWS]], columns: usize, rows: &mut [f32]) {
        let (blocks, rest) = lines.as_chunks::<ROWS>();
        let whole = blocks.len() * ROWS;
        for (block, lines) in blocks.iter().enumerate() {
            let mut lines = *lines;
            transpose(&mut lines);
            for (line, row) in lines.iter().zip(rows.chunks_exact_mut(columns)) {
                *row[block * ROWS..].first_chunk_mut().expect("a whole block") = *line;
            }
        }
        for (lane, row) in rows.chunks_exact_mut(columns).enumerate() {
            for (line, height) in rest.iter().zip(&mut row[whole..]) {
                *height = line[lane];
            }
        }
    }
}

/// Transpose a block in place by recursive swaps: halves first, then quarters, eighths and neighbours.
#[inline(always)]
fn transpose(block: &mut Block) {
    exchange::<8>(block);
    exchange::<4>(block);
    exchange::<2>(block);
    exchange::<1>(block);
}

/// Swap the upper right and the lower left quarter of every square of 2·`SIZE` lines and lanes.
#[inline(always)]
fn exchange<const SIZE: usize>(block: &mut Block) {
    for upper in 0..ROWS {
        if upper & SIZE == 0 {
            let (a, b) = (block[upper], block[upper + SIZE]);
            for lane in 0..ROWS {
                let right = lane & SIZE != 0;
                block[upper][lane] = if right { b[lane ^ SIZE] } else { a[lane] };
                block[upper + SIZE][lane] = if right { b[lane] } else { a[lane ^ SIZE] };
            }
        }
    }
}
