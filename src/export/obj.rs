//! `.obj`: Wavefront mesh with normals and texture coordinates, y up, in half tiles; a profile
//! becomes a polyline.

use std::io::{self, Write};
use std::ops::Range;

use rayon::prelude::*;

use super::{Content, Format, Header, Sink};
use crate::heightmap::Heightmap;
use crate::mesh::{Vertex, triangles};

/// The format.
pub const FORMAT: Format = Format {
    extension: "obj",
    help: "Wavefront mesh, y up, two triangles a cell, with normals and texture coordinates; a ridge is a polyline.",
    content: Content::Whole(write),
    sidecar: false,
};

/// Rows turned into text at once, on all threads.
const BATCH_ROWS: usize = 64;

fn write(map: &Heightmap, header: &Header<'_>, mut sink: Sink) -> io::Result<()> {
    let surface = &header.scene.surface;
    writeln!(
        sink,
        "# landform {}: {} x {} samples, seed {}, 1 unit is {} m, x east, y up, z south",
        env!("CARGO_PKG_VERSION"),
        map.columns(),
        map.rows(),
        surface.seed,
        surface.tile_size_m / 2.0,
    )?;
    let rows = map.rows();
    write_batches(&mut sink, header, 0..rows, |row| vertices(map, row))?;
    if map.is_profile() {
        write!(sink, "l")?;
        (1..=map.columns()).try_for_each(|index| write!(sink, " {index}"))?;
        writeln!(sink)?;
    } else {
        let cells = rows..2 * rows - 1;
        write_batches(&mut sink, header, cells, |row| {
            faces(row - rows, map.columns())
        })?;
    }
    sink.flush()
}

/// Makes the text of some of the file's rows (of vertices, then of cells) on all threads, a batch
/// at a time, and writes it in order.
fn write_batches(
    sink: &mut Sink,
    header: &Header<'_>,
    rows: Range<usize>,
    text: impl Fn(usize) -> Vec<u8> + Sync + Send,
) -> io::Result<()> {
    let check = || header.job.check().map_err(io::Error::other);
    for first in rows.clone().step_by(BATCH_ROWS) {
        let batch = (first..rows.end.min(first + BATCH_ROWS)).into_par_iter();
        let batch: io::Result<Vec<_>> = batch.map(|row| check().map(|()| text(row))).collect();
        for text in &batch? {
            check()?;
            sink.write_all(text)?;
        }
        header.job.advance(first as u64, 2 * header.rows as u64);
    }
    Ok(())
}

/// A row of vertices. In texture coordinates of this format v rises to the north.
fn vertices(map: &Heightmap, row: usize) -> Vec<u8> {
    let mut text = Vec::new();
    for column in 0..map.columns() {
        let vertex = Vertex::of(map, row, column);
        let (p, n, uv) = (vertex.position, vertex.normal, vertex.uv);
        let lines = if map.is_profile() {
            writeln!(text, "v {} {} {}", p.x, p.y, p.z)
        } else {
            writeln!(
                text,
                "v {} {} {}\nvt {} {}\nvn {:.5} {:.5} {:.5}",
                p.x,
                p.y,
                p.z,
                uv.x,
                1.0 - uv.y,
                n.x,
                n.y,
                n.z
            )
        };
        lines.expect("a vector takes all bytes");
    }
    text
}

/// The triangles between a row and the next; indices start at 1.
fn faces(row: usize, columns: usize) -> Vec<u8> {
    let mut text = Vec::new();
    for triangle in (1..columns).flat_map(|east| triangles::cell(row, east - 1, columns)) {
        let [a, b, c] = triangle.map(|index| u64::from(index) + 1);
        writeln!(text, "f {a}/{a}/{a} {b}/{b}/{b} {c}/{c}/{c}").expect("a vector takes all bytes");
    }
    text
}
