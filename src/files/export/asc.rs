//! `.asc`: ESRI ASCII grid writer, heights in metres as text, for GIS programs. Cells are square, in
//! degrees too, since some programs read no others.

use std::io::{self, Write};

use super::exact::{tile, write_metres};
use super::lattice::{Lattice, Squared};
use super::values::Scale;
use crate::files::formats::asc::{COMMENT, SYSTEM_LINE};
use crate::files::formats::checksum::{Adds, Summing, TextSum};
use crate::files::formats::recipe::write_comments;
use crate::scene::Scene;
use crate::terrain::geo::{Georeference, Unit as Coordinates, known_unit};
use crate::terrain::grid::Grid;

use super::file::Sink;
use super::format::{Content, Format, RowWriter};
use super::header::Header;
use super::values::HeightUnit;

/// ESRI ASCII grid format.
pub const FORMAT: Format = Format {
    unit: HeightUnit::Metres,
    says_north: true,
    square_degrees: true,
    placed_by: &["prj"],
    least_bytes: 2,
    ..Format::new(
        "asc",
        "ESRI ASCII grid: heights in metres as text, row 0 is north.",
        Content::Rows(|header, sink| Ok(Box::new(AscWriter::begin(header, sink)?))),
    )
};

struct AscWriter {
    lines: AscRows,
    scene: Scene,
    squared: Option<Squared>,
    /// Coordinate system for the comment: an EPSG code or a unit.
    system: Option<String>,
}

/// Writer of rows as text.
struct AscRows {
    sink: Summing<Sink, TextSum>,
    scale: Scale,
    /// Metres of half a tile, and the tile size that a reader will find, if heights are in metres.
    metres: Option<(f64, Option<f32>)>,
    /// Metres of an imported file, and the index of the next row.
    stored: Option<(Grid<f64>, usize)>,
    /// Number that marks a sample without data.
    no_data: f64,
    line: Vec<u8>,
}

impl AscWriter {
    fn begin(header: &Header<'_>, sink: Sink) -> io::Result<Self> {
        let sum = TextSum::default();
        let mut sink = Summing { sink, sum };
        let lattice = Lattice::of(header);
        let rows = lattice.map_or(header.rows, |lattice| lattice.rows);
        writeln!(sink, "ncols {}", header.columns)?;
        writeln!(sink, "nrows {rows}")?;
        let [[west, across], [south, down]] = corner(header, lattice);
        // The corner, not the centre, of the south-western cell: some programs read no other key.
        writeln!(sink, "xllcorner {}", west - across / 2.0)?;
        writeln!(sink, "yllcorner {}", south - down / 2.0)?;
        if across == down {
            writeln!(sink, "cellsize {across}")?;
        } else {
            writeln!(sink, "dx {across}")?;
            writeln!(sink, "dy {down}")?;
        }
        let no_data = no_data(header);
        writeln!(sink, "NODATA_value {no_data}")?;
        Ok(Self {
            lines: AscRows {
                sink,
                scale: header.scale(),
                stored: header.stored().map(|stored| (stored.metres.clone(), 0)),
                metres: header
                    .is_in_metres()
                    .then(|| (header.metres_per_unit(), tile(header))),
                no_data,
                line: Vec::new(),
            },
            scene: header.scene.clone(),
            squared: lattice.map(Squared::new),
            system: header.piece.earth.as_ref().and_then(system),
        })
    }
}

/// Number for a sample without data, below every height of the map.
pub fn no_data(header: &Header<'_>) -> f64 {
    let usual = -99_999.0;
    let Some(holes) = &header.piece.holes else {
        return usual;
    };
    // Rounding to metres moves a height by less than one part in a million, hence the margin.
    let lowest = f64::from(header.scale_of_heights().value(holes.range.0));
    if lowest > usual + 1.0 {
        return usual;
    }
    (lowest * 1.001).floor() - 1.0
}

/// Text that identifies the coordinate system without a `.prj` file: its EPSG code, else its unit.
fn system(earth: &Georeference) -> Option<String> {
    if earth.keys.is_empty() {
        return None;
    }
    let known = earth.keys.epsg().filter(|code| known_unit(*code).is_some());
    Some(match (known, earth.unit) {
        (Some(code), _) => format!("EPSG:{code}"),
        (None, Coordinates::Degrees(_)) => "degrees".to_owned(),
        (None, Coordinates::Metres(metres)) => metres.to_string(),
    })
}

/// Centre of the south-western cell and cell size, as `[place, size]` eastwards and northwards.
/// The coordinates are those of the map on earth, else local metres from the map's south-western cell.
fn corner(header: &Header<'_>, lattice: Option<Lattice>) -> [[f64; 2]; 2] {
    match header.on_earth() {
        Some(([west, north], east, south)) => {
            let (last, down) = match lattice {
                Some(lattice) => (lattice.at(lattice.rows - 1), east[0]),
                None => ((header.rows - 1) as f64, -south[1]),
            };
            [[west, east[0]], [north + last * south[1], down]]
        }
        None => {
            let [west, south] = header.origin_m();
            let step = header.metres_per_sample();
            [[west, step], [south, step]]
        }
    }
}

impl AscRows {
    fn row(&mut self, heights: &[f32]) -> io::Result<()> {
        self.line.clear();
        let stored = self.stored.as_mut().map(|(metres, next)| {
            *next += 1;
            metres.row(*next - 1)
        });
        for (column, height) in heights.iter().enumerate() {
            if column > 0 {
                self.line.push(b' ');
            }
            match self.metres {
                _ if height.is_nan() => write!(self.line, "{}", self.no_data)?,
                _ if stored.is_some() => {
                    let metres = stored.map_or(0.0, |row| row[column]);
                    write!(self.line, "{metres}")?;
                }
                Some((per_unit, tile)) => write_metres(&mut self.line, *height, per_unit, tile)?,
                // The shortest text that reads back as the same number.
                None => write!(self.line, "{}", self.scale.value(*height))?,
            }
        }
        self.line.push(b'\n');
        self.sink.write_all(&self.line)
    }
}

impl RowWriter for AscWriter {
    fn row(&mut self, heights: &[f32]) -> io::Result<()> {
        let lines = &mut self.lines;
        match &mut self.squared {
            Some(squared) => squared.row(heights, |row| lines.row(row)),
            None => lines.row(heights),
        }
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        let lines = &mut self.lines;
        if let Some(squared) = &mut self.squared {
            squared.finish(|row| lines.row(row))?;
        }
        let sum = lines.sink.sum.sum().text();
        if let Some(system) = &self.system {
            writeln!(lines.sink, "{SYSTEM_LINE}{system}")?;
        }
        write_comments(&mut lines.sink, COMMENT, &self.scene, &sum)?;
        lines.sink.flush()
    }
}
