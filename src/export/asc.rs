//! `.asc`: ESRI ASCII grid, heights in metres as text; GIS programs read it.

use std::io::{self, Write};

use super::exact::{tile, write_metres};
use super::scene::comment_recipe;
use super::values::Scale;
use crate::geo::Unit as Coordinates;
use crate::import::{Adds, Summing, TextSum};
use crate::scene::Scene;

use super::{Content, Format, Header, RowWriter, Sink, Unit};

/// The format.
pub const FORMAT: Format = Format {
    name: "asc",
    extension: "asc",
    levels: None,
    mesh: false,
    unit: Unit::Metres,
    says_north: true,
    least_bytes: 2,
    help: "ESRI ASCII grid: heights in metres as text, row 0 is north.",
    content: Content::Rows {
        begin: |header, sink| Ok(Box::new(Text::begin(header, sink)?)),
    },
};

struct Text {
    sink: Summing<Sink, TextSum>,
    scene: Scene,
    scale: Scale,
    /// Of heights in metres: half a tile, and the tile that a reader will find.
    metres: Option<(f64, Option<f32>)>,
    line: Vec<u8>,
}

impl Text {
    fn begin(header: &Header<'_>, sink: Sink) -> io::Result<Self> {
        let sum = TextSum::default();
        let mut sink = Summing { sink, sum };
        writeln!(sink, "ncols {}", header.columns)?;
        writeln!(sink, "nrows {}", header.rows)?;
        let [[west, across], [south, down]] = corner(header);
        // The corner, not the middle, of the south-western cell: some programs know nothing else.
        writeln!(sink, "xllcorner {}", west - across / 2.0)?;
        writeln!(sink, "yllcorner {}", south - down / 2.0)?;
        let in_degrees = header
            .earth
            .is_some_and(|earth| earth.keys.unit() == Coordinates::Degrees);
        if across == down && !in_degrees {
            writeln!(sink, "cellsize {across}")?;
        } else {
            writeln!(sink, "dx {across}")?;
            writeln!(sink, "dy {down}")?;
        }
        writeln!(sink, "NODATA_value -99999")?;
        Ok(Self {
            sink,
            scale: header.scale(),
            scene: header.scene.clone(),
            metres: header
                .is_in_metres()
                .then(|| (header.metres_per_unit(), tile(header))),
            line: Vec::new(),
        })
    }
}

/// The place of the middle of the south-western cell and the size of a cell, eastwards and
/// northwards: on earth if columns point north there, else in a local system that begins in the
/// map's south-western cell.
fn corner(header: &Header<'_>) -> [[f64; 2]; 2] {
    let upright = header.earth.filter(|earth| earth.is_upright());
    match header.on_earth().filter(|_| upright.is_some()) {
        Some(([west, north], east, south)) => {
            let rows = (header.rows - 1) as f64;
            [[west, east[0]], [north + rows * south[1], -south[1]]]
        }
        None => {
            let [west, south] = header.origin_m();
            let step = header.metres_per_sample();
            [[west, step], [south, step]]
        }
    }
}

impl RowWriter for Text {
    fn row(&mut self, heights: &[f32]) -> io::Result<()> {
        self.line.clear();
        for (column, height) in heights.iter().enumerate() {
            if column > 0 {
                self.line.push(b' ');
            }
            match self.metres {
                Some((per_unit, tile)) => write_metres(&mut self.line, *height, per_unit, tile)?,
                // The shortest text that reads back as the same number.
                None => write!(self.line, "{}", self.scale.value(*height))?,
            }
        }
        self.line.push(b'\n');
        self.sink.write_all(&self.line)
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        // The format knows no comments, but readers stop after the last row.
        let sum = self.sink.sum.sum().text();
        comment_recipe(&mut self.sink, "# ", &self.scene, &sum)?;
        self.sink.flush()
    }
}
