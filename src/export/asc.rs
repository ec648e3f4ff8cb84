//! `.asc`: ESRI ASCII grid, heights in metres as text; GIS programs read it.

use std::io::{self, Write};

use super::exact::{tile, write_metres};
use super::scene::comment_recipe;
use super::values::Scale;
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
        // The middle of the map's south-west sample is the origin of a local system.
        let [east, north] = header.origin_m();
        writeln!(sink, "xllcenter {east}")?;
        writeln!(sink, "yllcenter {north}")?;
        writeln!(sink, "cellsize {}", header.metres_per_sample())?;
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
