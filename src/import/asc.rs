//! `.asc`: ESRI ASCII grid, metres as text, the northern row first. Keys in any case and order,
//! `NODATA_value`, `cellsize` or `dx` and `dy`; lines that begin with `#` are comments, among
//! them the scene. Text streams through: memory for the map alone, of at most a sample for every
//! two bytes.
//!
//! Cells of less than a hundredth between 180° west and east are taken for degrees.

use std::io::BufRead;

use super::recipe::rest;
use super::samples::{METRES_PER_DEGREE, Meaning, Samples, in_half_tiles, tile_size_m};
use super::source::{Broken, Source, check_memory, check_room};
use super::sum::TextSum;
use super::{Format, comments};

/// The format.
pub const FORMAT: Format = Format {
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
    read,
    recipe: |source| comments::recipe(source, "# ", |source| rest(source, TextSum::default())),
    is_heights: true,
    is_mesh: false,
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
/// Cells of degrees are smaller.
const MOST_DEGREES: f64 = 0.01;

#[derive(Default)]
struct Head {
    columns: Option<u64>,
    rows: Option<u64>,
    west: f64,
    south: f64,
    step: Option<f64>,
    no_data: Option<f64>,
}

fn read(source: &mut Source<'_>) -> Result<Samples, Broken> {
    let length = source.length;
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
    let size = head
        .step_m()
        .and_then(|step| tile_size_m(step, rows, columns));
    let height = |value: f64| match size {
        _ if value.is_nan() || Some(value) == head.no_data => f32::NAN,
        Some(size) => in_half_tiles(value, size),
        None => value as f32,
    };
    let count = (columns * rows) as usize;
    let mut values = Vec::with_capacity(count);
    values.push(height(first));
    while values.len() < count {
        let word = words.next()?.ok_or_else(|| {
            let (has, wants) = (values.len(), count);
            Broken::wrong(format!("the file is cut short: {has} of {wants} numbers"))
        })?;
        values.push(height(number(word)?));
    }
    let meaning = match size {
        Some(_) => Meaning::Heights,
        None => Meaning::Numbers,
    };
    let mut samples = Samples::from_vec(rows, columns, values, meaning)?;
    samples.tile_size_m = size;
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
            "xllcorner" | "xllcenter" => self.west = number(value)?,
            "yllcorner" | "yllcenter" => self.south = number(value)?,
            "cellsize" | "dx" => self.step = Some(number(value)?),
            // Cells are square.
            "dy" => _ = number(value)?,
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

    /// Metres from one sample to the next.
    fn step_m(&self) -> Option<f64> {
        let step = self.step?;
        let on_earth = self.west.abs() <= 180.0 && self.south.abs() <= 90.0;
        let degrees = step < MOST_DEGREES && on_earth && (self.west, self.south) != (0.0, 0.0);
        Some(if degrees {
            step * METRES_PER_DEGREE
        } else {
            step
        })
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
