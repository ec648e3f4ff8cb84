//! `.asc`: ESRI ASCII grid, heights in metres as text, the northern row first.
//!
//! Keys may have any case and order: `NODATA_value`, `cellsize` or `dx` and `dy`. Lines that begin with `#`
//! are comments; Landform stores the scene in them. The text is streamed, so only the grid needs memory, at
//! most one sample per two bytes of text.
//!
//! Some variants that GDAL accepts only in part are read here as well: a byte order mark, `BYTEORDER`,
//! integers with a decimal point, `null` for no data, and decimal commas.

use std::io::BufRead;

use super::place::{Placed, System, place};
use super::reader::{
    Broken, Holding, Numbers, Raster, Reader, Source, check_memory, check_room, comment_after,
    has_recipe_comments, recipe_in_comments, sum_of_rest,
};
use crate::files::formats::asc::{COMMENT, SYSTEM_LINE};
use crate::files::formats::checksum::TextSum;
use crate::terrain::geo::{Keys, Unit, parse_crs};

/// Reader of ESRI ASCII grids.
pub const READER: Reader = Reader {
    name: "ASC",
    extensions: &["asc"],
    mark: Some(|bytes| {
        let text = bytes
            .strip_prefix(BYTE_ORDER_MARK)
            .unwrap_or(bytes)
            .trim_ascii_start();
        let word = text.split(|byte| !byte.is_ascii_alphanumeric()).next();
        let word = word.unwrap_or_default();
        text.starts_with(b"#")
            || KEYS
                .iter()
                .any(|key| word.eq_ignore_ascii_case(key.as_bytes()))
    }),
    holds: Holding::Heights(read),
    recipe: |source| {
        recipe_in_comments(source, COMMENT, |source| {
            sum_of_rest(source, TextSum::default())
        })
    },
};

/// Header keys, any of which may come first.
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
    "nodata_value",
    "nodata",
];
/// The longest number accepted, in characters: the smallest 64-bit float has 343 with all its zeros.
const MOST_LETTERS: usize = 400;
/// The UTF-8 byte order mark, which Microsoft's programs write.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

#[derive(Default)]
struct Head {
    columns: Option<u64>,
    rows: Option<u64>,
    /// The coordinate of the south-western cell, and true if it is that of the cell's corner.
    west: Option<(f64, bool)>,
    south: Option<(f64, bool)>,
    /// The cell size eastwards.
    across: Option<f64>,
    down: Option<f64>,
    /// True if the header has `dx`.
    has_two: bool,
    no_data: Option<String>,
}

fn read(source: &mut Source<'_>) -> Result<Raster, Broken> {
    let length = source.length;
    let is_ours = has_recipe_comments(source, COMMENT)?;
    let own = if is_ours {
        comment_after(source, SYSTEM_LINE)?
    } else {
        None
    };
    source.rewind()?;
    if source.head(3)? != BYTE_ORDER_MARK {
        source.rewind()?;
    }
    let mut words = Words {
        bytes: &mut *source.bytes,
        word: Vec::new(),
    };
    let mut head = Head::default();
    let first = loop {
        let word = words.next()?.ok_or_else(Broken::cut_short)?;
        let is_number =
            !word.as_bytes()[0].is_ascii_alphabetic() || word.eq_ignore_ascii_case("nan");
        if is_number || head.no_data.as_deref() == Some(word) {
            break head.number(word)?;
        }
        let key = word.to_ascii_lowercase();
        let value = words.next()?.ok_or_else(Broken::cut_short)?;
        head.set(&key, value)?;
    };
    let (Some(columns), Some(rows)) = (head.columns, head.rows) else {
        return Err(Broken::wrong("its header does not say ncols and nrows"));
    };
    // The last number may lack a blank after it.
    check_room(columns, rows, length + 1, 0.5)?;
    check_memory(columns, rows, 8)?;
    let count = (columns * rows) as usize;
    let mut values = Vec::with_capacity(count);
    values.push(first);
    while values.len() < count {
        let word = words.next()?.ok_or_else(|| {
            let (has, wants) = (values.len(), count);
            Broken::wrong(format!("the file is cut short: {has} of {wants} numbers"))
        })?;
        values.push(head.number(word)?);
    }
    let mut raster = Raster::new(rows, columns, Numbers::Double(values), None)?;
    raster.stated.is_ours = is_ours;
    raster.stated.no_data = head.no_data.as_deref().and_then(|text| number(text).ok());
    raster.stated.knows_missing = raster.stated.no_data.is_none() && head.no_data.is_some();
    if let Some(placed) = head.placed(rows) {
        place(&mut raster, placed, head.system(is_ours, own.as_deref()));
    }
    Ok(raster)
}

impl Head {
    fn set(&mut self, key: &str, value: &str) -> Result<(), Broken> {
        let whole = || {
            let whole = number(value)
                .ok()
                .filter(|number| number.fract() == 0.0 && *number >= 0.0);
            whole.map(|number| number as u64).ok_or_else(|| {
                Broken::wrong(format!("{key} is `{value}`; allowed: a whole number"))
            })
        };
        let side = || {
            let side = number(value)?;
            let words = || Broken::wrong(format!("{key} is `{value}`; allowed: a number above 0"));
            Some(side).filter(|side| *side > 0.0).ok_or_else(words)
        };
        match key {
            "ncols" => self.columns = Some(whole()?),
            "nrows" => self.rows = Some(whole()?),
            "xllcorner" | "xllcenter" => self.west = Some((number(value)?, key == "xllcorner")),
            "yllcorner" | "yllcenter" => self.south = Some((number(value)?, key == "yllcorner")),
            "cellsize" => (self.across, self.down) = (Some(side()?), Some(side()?)),
            "dx" => (self.across, self.has_two) = (Some(side()?), true),
            "dy" => self.down = Some(side()?),
            "nodata_value" | "nodata" => self.no_data = Some(value.to_owned()),
            // The byte order belongs to a binary file with the same kind of header; text has none.
            "byteorder" => {}
            _ => {
                return Err(Broken::wrong(format!(
                    "unknown key `{key}`; allowed: {}",
                    KEYS.join(", ")
                )));
            }
        }
        Ok(())
    }

    /// Parse a sample; NaN for a no-data word that is not a number.
    fn number(&self, word: &str) -> Result<f64, Broken> {
        if self.no_data.as_deref() == Some(word) && number(word).is_err() {
            return Ok(f64::NAN);
        }
        number(word)
    }

    /// The position of the grid; `None` if the header has no cell size.
    fn placed(&self, rows: u64) -> Option<Placed> {
        let (x, y) = (self.across.or(self.down)?, self.down.or(self.across)?);
        let middle = |corner: Option<(f64, bool)>, step: f64| {
            corner.map(|(place, is_corner)| if is_corner { place + step / 2.0 } else { place })
        };
        let south_west = middle(self.west, x).zip(middle(self.south, y));
        Some(Placed {
            north_west: south_west.map(|(west, south)| [west, south + (rows - 1) as f64 * y]),
            step: [x, y],
        })
    }

    /// The coordinate reference system, from Landform's own comment line if there is one.
    fn system(&self, is_ours: bool, own: Option<&str>) -> System {
        let code = own.and_then(|own| parse_crs(own).ok().flatten());
        if let Some(system) = code.and_then(System::of_code) {
            return system;
        }
        match own.map(str::parse) {
            Some(Ok(metres)) => System::Known(Keys::default(), Unit::Metres(metres)),
            Some(Err(_)) => System::Known(Keys::default(), Unit::Degrees(1.0)),
            // Landform writes `dx` and `dy` for cells in degrees, so a single size means metres.
            None if is_ours && !self.has_two => System::Local,
            None => System::Unnamed,
        }
    }
}

/// Parse a number with a decimal point or a decimal comma.
fn number(word: &str) -> Result<f64, Broken> {
    let plain = if word.contains(',') && !word.contains('.') {
        &word.replacen(',', ".", 1)
    } else {
        word
    };
    let number = plain
        .parse::<f64>()
        .ok()
        .filter(|number| !number.is_infinite());
    number.ok_or_else(|| Broken::wrong(format!("`{word}` is not a number")))
}

/// Tokenizer: the words of a text, one at a time, without comments.
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
        let word = std::str::from_utf8(&self.word).map_err(|_| Broken::wrong("it is not text"))?;
        Ok((!word.is_empty()).then_some(word))
    }
}
