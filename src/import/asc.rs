//! `.asc`: ESRI ASCII grid, metres as text, the northern row first. Keys in any case and order,
//! `NODATA_value`, `cellsize` or `dx` and `dy`; lines that begin with `#` are comments, among
//! them the scene. Text streams through: memory for the map alone, of at most a sample for every
//! two bytes.
//!
//! The `.prj` file beside says the system. Cells are degrees if it does, or, without one, if there are none wider
//! than a degree and all lie between 180° west and 360° east and between the poles.

use std::io::BufRead;

use super::comments;
use super::prj;
use super::reader::{Holding, Reader};
use super::recipe::rest;
use super::rule::{FromFile, Rule, metres_of_degrees};
use super::samples::Samples;
use super::source::{Broken, Source, check_memory, check_room};
use crate::formats::asc::{COMMENT, SYSTEM_LINE};
use crate::formats::checksum::TextSum;
use crate::formats::sidecar::Sidecar;
use crate::geo::{Georeference, Keys, Unit, parse_crs, unit_of};

/// The format.
pub const READER: Reader = Reader {
    name: "ASC",
    extensions: &["asc"],
    mark: Some(|bytes| {
        let text = bytes.trim_ascii_start();
        let word = text.split(|byte| !byte.is_ascii_alphanumeric()).next();
        let word = word.unwrap_or_default();
        text.starts_with(b"#")
            || KEYS
                .iter()
                .any(|key| word.eq_ignore_ascii_case(key.as_bytes()))
    }),
    holds: Holding::Heights(read),
    recipe: |source| comments::recipe(source, COMMENT, |source| rest(source, TextSum::default())),
};

/// Keys that may come first.
const KEYS: &[&str] = &[
    "ncols",
    "nrows",
    "xllcorner",
    "xllcenter",
    "yllcorner",
    "yllcenter",
    "cellsize",
    "dx",
    "dy",
];
/// No number has more letters: the smallest of 64 bits has 343 with all its zeros.
const MOST_LETTERS: usize = 400;
/// The system of longitude and latitude where none is named.
const WGS_84: u16 = 4326;
/// Cells of degrees are no wider.
const MOST_DEGREES: f64 = 1.0;

#[derive(Default)]
struct Head {
    columns: Option<u64>,
    rows: Option<u64>,
    /// The place of the south-western cell, and whether it is that of its corner.
    west: Option<(f64, bool)>,
    south: Option<(f64, bool)>,
    /// The sides of a cell.
    across: Option<f64>,
    down: Option<f64>,
    /// Whether both are given.
    has_two: bool,
    no_data: Option<f64>,
}

fn read(source: &mut Source<'_>) -> Result<Samples, Broken> {
    let length = source.length;
    let beside = source.beside;
    let is_ours = comments::hold_recipe(source, COMMENT)?;
    let own = if is_ours {
        comments::line_after(source, SYSTEM_LINE)?
    } else {
        None
    };
    source.rewind()?;
    let mut words = Words {
        bytes: &mut *source.bytes,
        word: Vec::new(),
    };
    let mut head = Head::default();
    let first = loop {
        let word = words.next()?.ok_or_else(Broken::cut_short)?;
        if !word.as_bytes()[0].is_ascii_alphabetic() || word.eq_ignore_ascii_case("nan") {
            break number(word)?;
        }
        let key = word.to_ascii_lowercase();
        let value = words.next()?.ok_or_else(Broken::cut_short)?;
        head.set(&key, value)?;
    };
    let (Some(columns), Some(rows)) = (head.columns, head.rows) else {
        return Err(Broken::wrong("its header does not say ncols and nrows"));
    };
    // The last number needs no blank after it.
    check_room(columns, rows, length + 1, 0.5)?;
    check_memory(columns, rows, 0)?;
    let mut said = head.said(columns, rows, is_ours, own.as_deref(), beside.system);
    if let Some(step) = beside.sidecar.and_then(Sidecar::step_m) {
        // It knows what was written.
        said.step_m = Some([step, step]);
        said.assumed.clear();
    }
    let rule = Rule::new(said, beside, rows, columns)?;
    let count = (columns * rows) as usize;
    let mut values = Vec::with_capacity(count);
    values.push(rule.height(first));
    while values.len() < count {
        let word = words.next()?.ok_or_else(|| {
            let (has, wants) = (values.len(), count);
            Broken::wrong(format!("the file is cut short: {has} of {wants} numbers"))
        })?;
        values.push(rule.height(number(word)?));
    }
    let mut samples = Samples::from_vec(rows, columns, values, rule.meaning())?;
    rule.hand_on(&mut samples);
    Ok(samples)
}

impl Head {
    fn set(&mut self, key: &str, value: &str) -> Result<(), Broken> {
        let whole = || {
            value.parse().map_err(|_| {
                Broken::wrong(format!("{key} is `{value}`, allowed is a whole number"))
            })
        };
        match key {
            "ncols" => self.columns = Some(whole()?),
            "nrows" => self.rows = Some(whole()?),
            "xllcorner" | "xllcenter" => self.west = Some((number(value)?, key == "xllcorner")),
            "yllcorner" | "yllcenter" => self.south = Some((number(value)?, key == "yllcorner")),
            "cellsize" => (self.across, self.down) = (Some(number(value)?), Some(number(value)?)),
            "dx" => (self.across, self.has_two) = (Some(number(value)?), true),
            "dy" => self.down = Some(number(value)?),
            "nodata_value" | "nodata" => self.no_data = Some(number(value)?),
            _ => {
                return Err(Broken::wrong(format!(
                    "unknown key `{key}`, allowed is {}, NODATA_value",
                    KEYS.join(", ")
                )));
            }
        }
        Ok(())
    }

    /// What the header says, the system that a file of ours names, and the text of the `.prj` file
    /// beside it.
    fn said(
        &self,
        columns: u64,
        rows: u64,
        is_ours: bool,
        own: Option<&str>,
        system: Option<&str>,
    ) -> FromFile {
        let mut said = FromFile {
            // What we write is metres.
            unit_m: system.filter(|_| !is_ours).and_then(prj::height_unit),
            no_data: self.no_data,
            is_ours,
            ..FromFile::default()
        };
        let (Some(x), Some(y)) = (self.across.or(self.down), self.down.or(self.across)) else {
            return said;
        };
        let middle = |corner: Option<(f64, bool)>, step: f64| {
            corner.map(|(place, is_corner)| if is_corner { place + step / 2.0 } else { place })
        };
        let south_west = middle(self.west, x).zip(middle(self.south, y));
        let (across, down) = ((columns - 1) as f64 * x, (rows - 1) as f64 * y);
        let centre = south_west.map_or(0.0, |(_, south)| south + down / 2.0);
        let code = own.and_then(|own| parse_crs(own).ok().flatten());
        let of_own = own.map(|own| match (code, own.parse()) {
            (Some(code), _) => unit_of(code),
            (None, Ok(metres)) => Unit::Metres(metres),
            (None, Err(_)) => Unit::Degrees,
        });
        let unit = system.and_then(prj::unit).or(of_own);
        let unit = unit.unwrap_or_else(|| {
            let on_earth = |(west, south): (f64, f64)| {
                // A local system begins at 0.
                (west, south) != (0.0, 0.0)
                    && (-180.5..=360.5).contains(&west)
                    && west + across <= 360.5
                    && (-90.5..=90.5).contains(&south)
                    && south + down <= 90.5
            };
            let small = x.max(y) <= MOST_DEGREES && south_west.is_some_and(on_earth);
            // Landform gives cells of degrees two sides.
            if !small || (is_ours && !self.has_two) {
                return Unit::Metres(1.0);
            }
            if !is_ours {
                said.assumed.push("cells in degrees (WGS 84)".to_owned());
            }
            Unit::Degrees
        });
        let keys = system.and_then(prj::keys).or(code.map(Keys::of_epsg));
        let keys = keys.unwrap_or_else(|| match unit {
            Unit::Degrees => Keys::of_epsg(WGS_84),
            Unit::Metres(_) => Keys::default(),
        });
        said.step_m = Some(match unit {
            Unit::Metres(unit) => {
                let shrink = keys.shrink(centre);
                [x * unit * shrink[0], y * unit * shrink[1]]
            }
            Unit::Degrees => metres_of_degrees([x, y], centre),
        });
        said.place = south_west.map(|(west, south)| Georeference {
            keys,
            origin: [west, south + down],
            east: [x, 0.0],
            south: [0.0, -y],
        });
        said
    }
}

fn number(word: &str) -> Result<f64, Broken> {
    let number = word
        .parse::<f64>()
        .ok()
        .filter(|number| !number.is_infinite());
    number.ok_or_else(|| Broken::wrong(format!("`{word}` is no number")))
}

/// The words of a text, one at a time, comments left out.
struct Words<'a, R: ?Sized> {
    bytes: &'a mut R,
    word: Vec<u8>,
}

impl<R: BufRead + ?Sized> Words<'_, R> {
    fn next(&mut self) -> Result<Option<&str>, Broken> {
        self.word.clear();
        let mut in_comment = false;
        loop {
            let buffer = self.bytes.fill_buf()?;
            if buffer.is_empty() {
                break;
            }
            let mut used = 0;
            let mut ended = false;
            for byte in buffer {
                used += 1;
                if in_comment {
                    in_comment = *byte != b'\n';
                } else if byte.is_ascii_whitespace() {
                    ended = !self.word.is_empty();
                } else if *byte == b'#' && self.word.is_empty() {
                    in_comment = true;
                } else {
                    self.word.push(*byte);
                }
                if ended || self.word.len() > MOST_LETTERS {
                    break;
                }
            }
            self.bytes.consume(used);
            if self.word.len() > MOST_LETTERS {
                return Err(Broken::wrong(format!(
                    "a word of more than {MOST_LETTERS} letters"
                )));
            }
            if ended {
                break;
            }
        }
        let word = std::str::from_utf8(&self.word).map_err(|_| Broken::wrong("it is no text"))?;
        Ok((!word.is_empty()).then_some(word))
    }
}
