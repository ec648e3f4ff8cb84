//! Hillslope processes: soil creep (diffusion) and slides above the angle of repose. Exchanges between
//! neighbours are symmetric, so volume is conserved and no direction is preferred.

use crate::terrain::drainage::shape::Shape;
use crate::util::job::{Cancelled, Job};
use crate::util::parallel::{self, Tools};

/// Number of rows per parallel task.
const ROWS: usize = 16;

/// Call `work` for every row of `to` with the three rows of `from` around it.
pub(super) fn each_row(
    shape: Shape,
    from: &[f32],
    to: &mut [f32],
    job: &Job,
    work: impl Fn(&[Vec<f32>; 3], &mut [f32]) + Sync,
) -> Result<(), Cancelled> {
    let columns = shape.columns;
    let bands = to[..shape.cells()].chunks_mut(ROWS * columns);
    let around = Tools::new(Default::default);
    parallel::par_items(bands).try_each(|band, to| {
        job.check()?;
        around.with(|around| {
            for (row, to) in (band * ROWS..).zip(to.chunks_exact_mut(columns)) {
                shape.around(from, row, around);
                work(around, to);
            }
        });
        Ok(())
    })
}

/// Run one pass of slides: material more than `limit` above a neighbour, or √2 times that above a diagonal
/// one, moves down.
pub(super) fn slide(
    shape: Shape,
    from: &[f32],
    to: &mut [f32],
    limit: f32,
    job: &Job,
) -> Result<(), Cancelled> {
    let diagonal = limit * std::f32::consts::SQRT_2;
    each_row(shape, from, to, job, |[above, here, below], to| {
        slide_row(above, here, below, limit, diagonal, to);
    })
}

/// Run one pass of creep: heights move by `share` of the way to the mean of those around, below `sea` by
/// `seabed` of it.
pub(super) fn creep(
    shape: Shape,
    from: &[f32],
    to: &mut [f32],
    share: f32,
    sea: f32,
    seabed: f32,
    job: &Job,
) -> Result<(), Cancelled> {
    each_row(shape, from, to, job, |[above, here, below], to| {
        creep_row(above, here, below, (share, sea, seabed), to);
    })
}

vectorized! {
    fn slide_row(above: &[f32], here: &[f32], below: &[f32], t: f32, d: f32, to: &mut [f32]) {
        let count = to.len();
        let (nw, n, ne) = (&above[..count], &above[1..][..count], &above[2..][..count]);
        let (w, c, e) = (&here[..count], &here[1..][..count], &here[2..][..count]);
        let (sw, s, se) = (&below[..count], &below[1..][..count], &below[2..][..count]);
        // Signed excess over the limit that a neighbour higher by `step` gives.
        let gives = |step: f32, limit: f32| {
            let down = step - limit;
            let up = step + limit;
            (if down > 0.0 { down } else { 0.0 }) + (if up < 0.0 { up } else { 0.0 })
        };
        for i in 0..count {
            let z = c[i];
            let straight = (gives(n[i] - z, t) + gives(s[i] - z, t))
                + (gives(e[i] - z, t) + gives(w[i] - z, t));
            let diagonal = (gives(nw[i] - z, d) + gives(se[i] - z, d))
                + (gives(ne[i] - z, d) + gives(sw[i] - z, d));
            to[i] = z + (0.15 * straight + 0.075 * diagonal);
        }
    }

    fn creep_row(above: &[f32], here: &[f32], below: &[f32], how: (f32, f32, f32), to: &mut [f32]) {
        let (land, sea, seabed) = how;
        let count = to.len();
        let (nw, n, ne) = (&above[..count], &above[1..][..count], &above[2..][..count]);
        let (w, c, e) = (&here[..count], &here[1..][..count], &here[2..][..count]);
        let (sw, s, se) = (&below[..count], &below[1..][..count], &below[2..][..count]);
        for i in 0..count {
            let straight = (n[i] + s[i]) + (e[i] + w[i]);
            let diagonal = (nw[i] + se[i]) + (ne[i] + sw[i]);
            let around = straight * 0.2 + diagonal * 0.05;
            let share = if c[i] <= sea { seabed } else { land };
            to[i] = c[i] + share * (around - c[i]);
        }
    }
}
