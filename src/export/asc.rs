//! `.asc`: ESRI ASCII grid, heights in metres as text; GIS programs read it.

use std::io::{self, Write};

use super::exact::{tile, write_metres};
use super::{Content, Format, Header, RowWriter, Sink};

/// The format.
pub const FORMAT: Format = Format {
    name: "asc",
    extension: "asc",
    levels: None,
    mesh: false,
    least_bytes: 2,
    help: "ESRI ASCII grid: heights in metres as text, row 0 is north.",
    content: Content::Rows {
        begin: |header, sink| Ok(Box::new(Text::begin(header, sink)?)),
    },
    sidecar: true,
};

struct Text {
    sink: Sink,
    metres_per_unit: f64,
    tile_size_m: Option<f32>,
    line: Vec<u8>,
}

impl Text {
    fn begin(header: &Header<'_>, mut sink: Sink) -> io::Result<Self> {
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
            metres_per_unit: header.metres_per_unit(),
            tile_size_m: tile(header),
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
            write_metres(
                &mut self.line,
                *height,
                self.metres_per_unit,
                self.tile_size_m,
            )?;
        }
        self.line.push(b'\n');
        self.sink.write_all(&self.line)
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.sink.flush()
    }
}
