//! `.asc`: ESRI ASCII grid writer, heights in metres as text, for GIS programs. Cells are square, in
//! degrees too, since some programs read no others.

use std::io::{self, Write};

use super::file::Sink;
use super::format::{Content, Format, Header, Lattice, RowWriter};
use super::piece::{HeightUnit, Scale};
use crate::files::formats::asc::{COMMENT, SYSTEM_LINE};
use crate::files::formats::checksum::{Adds, Summing, TextSum};
use crate::files::formats::metres::in_half_tiles;
use crate::files::formats::recipe::write_comments;
use crate::scene::Scene;
use crate::terrain::geo::{Georeference, Unit as Coordinates, known_unit};
use crate::terrain::grid::Grid;

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
        Content::Rows(AscWriter::begin),
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
    fn begin(header: &Header<'_>, sink: Sink) -> io::Result<Box<dyn RowWriter>> {
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
        Ok(Box::new(Self {
            lines: AscRows {
                sink,
                scale: header.scale(),
                stored: header.stored().map(|stored| (stored.metres.clone(), 0)),
                metres: header
                    .is_in_metres()
                    .then(|| (header.metres_per_unit(), header.tile_size_as_read())),
                no_data,
                line: Vec::new(),
            },
            scene: header.scene.clone(),
            squared: lattice.map(Squared::new),
            system: header.piece.earth.as_ref().and_then(system),
        }))
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

/// Digits after the point that show the product of two 32-bit floats exactly, unless it is tiny.
const MOST_DIGITS: usize = 100;

/// Append a height in metres as text. It has the digits of a 32-bit float if they restore the height on a
/// map with sides of `tile_size_m`, else those of a 64-bit float.
fn write_metres(
    text: &mut Vec<u8>,
    height: f32,
    metres_per_unit: f64,
    tile_size_m: Option<f32>,
) -> io::Result<()> {
    let metres = f64::from(height) * metres_per_unit;
    let start = text.len();
    write!(text, "{}", metres as f32)?;
    let Some(size) = tile_size_m else {
        return Ok(());
    };
    let short = std::str::from_utf8(&text[start..]).ok();
    let back = short.and_then(|short| short.parse().ok());
    if back.map(|back| in_half_tiles(back, size)) != Some(height) {
        text.truncate(start);
        write!(text, "{metres}")?;
        let long = std::str::from_utf8(&text[start..]).ok();
        // Exactly half way between two 32-bit floats, all digits are needed to round the right way.
        if long.and_then(|long| long.parse().ok()) != Some(metres as f32) {
            text.truncate(start);
            let all = format!("{metres:.MOST_DIGITS$}");
            write!(text, "{}", all.trim_end_matches('0'))?;
        }
    }
    Ok(())
}

/// Streaming resampler from rows of samples to rows of a lattice.
struct Squared {
    lattice: Lattice,
    /// Number of sample rows read and of lattice rows written.
    taken: usize,
    given: usize,
    before: Vec<f32>,
    between: Vec<f32>,
}

impl Squared {
    /// Start before the first row.
    fn new(lattice: Lattice) -> Self {
        Self {
            lattice,
            taken: 0,
            given: 0,
            before: Vec::new(),
            between: Vec::new(),
        }
    }

    /// Read a row of samples and pass on the lattice rows between the previous row and this one.
    fn row<E>(
        &mut self,
        heights: &[f32],
        mut sink: impl FnMut(&[f32]) -> Result<(), E>,
    ) -> Result<(), E> {
        let here = self.taken as f64;
        while self.given < self.lattice.rows && self.lattice.at(self.given) <= here {
            let back = here - self.lattice.at(self.given);
            if self.before.is_empty() || back <= 0.0 {
                sink(heights)?;
            } else {
                let both = self.before.iter().zip(heights);
                let mixed = both.map(|(before, height)| {
                    if before.is_nan() || height.is_nan() {
                        // Next to a hole there is nothing to interpolate: take the nearest sample.
                        return if back < 0.5 { *height } else { *before };
                    }
                    let (before, height) = (f64::from(*before), f64::from(*height));
                    (height + (before - height) * back) as f32
                });
                self.between.clear();
                self.between.extend(mixed);
                sink(&self.between)?;
            }
            self.given += 1;
        }
        self.taken += 1;
        self.before.clear();
        self.before.extend_from_slice(heights);
        Ok(())
    }

    /// Pass on the lattice rows beyond the last row of samples, as copies of it.
    fn finish<E>(&mut self, mut sink: impl FnMut(&[f32]) -> Result<(), E>) -> Result<(), E> {
        while self.given < self.lattice.rows {
            sink(&self.before)?;
            self.given += 1;
        }
        Ok(())
    }
}
