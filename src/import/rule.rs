//! From the numbers in a file to heights: what the file says of them, what the user says in its
//! place, and what had to be assumed because nobody says it.

use std::cell::Cell;

use super::samples::{Meaning, NumberUnit, Samples};
use super::source::{Beside, Broken, check_memory};
use super::squares::Squares;
use crate::formats::metres::{in_half_tiles, tile_size_m};
use crate::formats::sidecar::Sidecar;
use crate::generate::{InputUnit, NoData};
use crate::geo::{FOOT, Georeference, METRES_PER_DEGREE, narrower};
use crate::language::tr;

/// Numbers that mean no data where a file holds them and does not say so.
const NO_DATA: [f64; 3] = [-9999.0, -32_768.0, f32::MIN as f64];
/// What a file says of its numbers.
#[derive(Debug, Default)]
pub struct FromFile {
    /// Metres of a number.
    pub unit_m: Option<f64>,
    /// What a number is multiplied by, and what is then added.
    pub scale: Option<(f64, f64)>,
    /// Metres from one sample to the next, eastwards and southwards.
    pub step_m: Option<[f64; 2]>,
    /// The number that means no data.
    pub no_data: Option<f64>,
    /// Whether the southern row comes first.
    pub south_first: bool,
    /// Whether Landform wrote it: then nothing is guessed.
    pub is_ours: bool,
    /// Where it lies; its two ways lead from one sample to the next.
    pub place: Option<Georeference>,
    /// What was assumed, a few words each.
    pub assumed: Vec<String>,
}

/// The metres of a step in degrees at a latitude, eastwards and southwards.
pub fn metres_of_degrees([x, y]: [f64; 2], latitude: f64) -> [f64; 2] {
    let [x, y] = [x, y].map(|step| step.abs() * METRES_PER_DEGREE);
    [x * narrower(latitude), y]
}

/// How a file's numbers become heights.
#[derive(Debug)]
pub struct Rule {
    /// What a number is, if that is known.
    pub unit: Option<NumberUnit>,
    /// Lowest and highest height as the user says them.
    pub range: Option<(f64, f64)>,
    /// Metres along the longer side, once its samples are square.
    pub tile_size_m: Option<f32>,
    scale: Option<(f64, f64)>,
    no_data: Option<f64>,
    guesses: bool,
    guessed: Cell<Option<f64>>,
    squares: Squares,
    place: Option<Georeference>,
    assumed: Vec<String>,
    /// Whether nobody says that the unit is that.
    unit_is_assumed: bool,
    is_ours: bool,
    south_first: bool,
}

impl Rule {
    /// The rule for a file of so many samples that says `said`.
    pub fn new(
        said: FromFile,
        beside: Beside<'_>,
        rows: u64,
        columns: u64,
    ) -> Result<Self, Broken> {
        let reading = beside.reading;
        let wrong =
            |allowed| Broken::wrong(tr!("its reading is wrong, allowed is {allowed}", allowed));
        let stated = reading.spacing().map_err(wrong)?;
        let step_m = stated.or(said.step_m);
        let of_sidecar = || {
            beside
                .sidecar
                .and_then(Sidecar::step_m)
                .map(|step| [step, step])
        };
        // What a sidecar says of numbers it says together with their unit.
        let step_m = match reading.unit {
            InputUnit::Auto => step_m,
            _ => step_m.or_else(of_sidecar),
        };
        let mut place = said.place;
        if let (Some(place), Some(stated), Some(said)) = (&mut place, stated, said.step_m) {
            place.east = place.east.map(|way| way * stated[0] / said[0]);
            place.south = place.south.map(|way| way * stated[1] / said[1]);
        }
        let squares = Squares::new(step_m, rows, columns);
        if squares.are_new() {
            // The samples as stored stay until the squares are made of them.
            check_memory(squares.columns as u64, squares.rows as u64, 4)?;
        }
        let tile_size_m = squares
            .step_m
            .and_then(|step| tile_size_m(step, squares.rows as u64, squares.columns as u64));
        let mut assumed = said.assumed;
        if stated.is_some() {
            // What was assumed was about the spacing.
            assumed.clear();
        }
        let (no_data, guesses) = match reading.no_data().map_err(wrong)? {
            NoData::Number(number) => (Some(number), false),
            NoData::Nothing => (None, false),
            NoData::AsFile => {
                let known = said.no_data.is_some() || said.is_ours || beside.sidecar.is_some();
                let of_sidecar = beside.sidecar.and_then(|sidecar| sidecar.no_data.as_ref());
                let of_sidecar = of_sidecar.and_then(|number| number.as_f64());
                (said.no_data.or(of_sidecar), !known)
            }
        };
        // A file that says how far apart its samples are is a map, and its heights are metres.
        let is_map = said.step_m.is_some() || (stated.is_some() && beside.sidecar.is_none());
        let unit = match reading.unit {
            InputUnit::Metres => Some(NumberUnit::Metres(1.0)),
            InputUnit::Feet => Some(NumberUnit::Metres(FOOT)),
            InputUnit::Unit => Some(NumberUnit::HalfTiles),
            InputUnit::Auto if said.unit_m.is_some() => said.unit_m.map(NumberUnit::Metres),
            InputUnit::Auto => is_map.then_some(NumberUnit::Metres(1.0)),
        };
        Ok(Self {
            unit,
            range: reading.range().map_err(wrong)?,
            tile_size_m,
            scale: said.scale,
            no_data,
            guesses,
            guessed: Cell::new(None),
            squares,
            place,
            assumed,
            unit_is_assumed: reading.unit == InputUnit::Auto && said.unit_m.is_none(),
            is_ours: said.is_ours,
            south_first: said.south_first,
        })
    }

    /// The number that a stored one stands for.
    pub fn number(&self, stored: f64) -> f64 {
        match self.scale {
            Some((factor, offset)) => offset + factor * stored,
            None => stored,
        }
    }

    /// Whether a stored number means no data; that number is noted if this is a guess.
    pub fn is_missing(&self, stored: f64) -> bool {
        if let Some(none) = self.no_data {
            // Some are written in decimals.
            return stored == none || stored as f32 == none as f32;
        }
        let missing = self.guesses && NO_DATA.contains(&stored);
        if missing {
            self.guessed.set(Some(stored));
        }
        missing
    }

    /// The height of a number that a file stores: half tiles if the unit and the width are known,
    /// else the number; not a number for no data.
    pub fn height(&self, stored: f64) -> f32 {
        if self.is_missing(stored) {
            return f32::NAN;
        }
        let number = self.number(stored);
        match (self.unit, self.tile_size_m) {
            (Some(NumberUnit::Metres(unit)), Some(size)) => in_half_tiles(number * unit, size),
            _ => number as f32,
        }
    }

    /// Heights in half tiles of the steps 0 and `top`, if the file or the unit says them.
    pub fn levels(&self, top: u16) -> Option<(f64, f64)> {
        let steps = [0.0, f64::from(top)];
        let [low, high] = match (self.unit?, self.scale) {
            (NumberUnit::HalfTiles, None) => return None,
            (NumberUnit::HalfTiles, Some(_)) => steps.map(|step| self.number(step)),
            (NumberUnit::Metres(unit), _) => {
                let size = self.tile_size_m?;
                steps.map(|step| in_half_tiles(self.number(step) * unit, size).into())
            }
        };
        Some((low, high))
    }

    /// What [`Rule::height`] gives.
    pub fn meaning(&self) -> Meaning {
        match (self.unit, self.tile_size_m) {
            (Some(NumberUnit::HalfTiles), _) | (Some(NumberUnit::Metres(_)), Some(_)) => {
                Meaning::Heights
            }
            _ => Meaning::Numbers,
        }
    }

    /// Hands what it knows on to samples that are not yet square.
    pub fn hand_on(self, samples: &mut Samples) {
        if let Some(number) = self.guessed.get() {
            samples.assumed.push(tr!("{} is no data", shown(number)));
        }
        samples.assumed.extend(self.assumed);
        let is_assumed = self.unit_is_assumed && self.range.is_none() && !self.is_ours;
        if is_assumed && let Some(NumberUnit::Metres(_)) = self.unit {
            samples.assumed.push(tr("heights in metres").to_owned());
        }
        if self.south_first {
            samples.turn();
        }
        samples.tile_size_m = self.tile_size_m.or(samples.tile_size_m);
        samples.unit = self.unit;
        samples.range = self.range;
        samples.place = self.place.map(|place| self.squares.place(place));
        samples.squares = self.squares;
        samples.is_ruled = true;
    }

    /// Whether somebody says what unit the numbers have.
    pub fn knows_unit(&self) -> bool {
        !self.unit_is_assumed
    }

    /// Takes the numbers for brightness, unless somebody says that they are heights.
    pub fn without_assumed_unit(mut self) -> Self {
        if self.unit_is_assumed {
            self.unit = None;
        }
        self
    }

    /// Makes heights of samples that are as stored; steps stay steps.
    pub fn apply(mut self, samples: &mut Samples) {
        let is_numbers = samples.meaning == Meaning::Numbers;
        if !is_numbers {
            self = self.without_assumed_unit();
        }
        for value in samples.grid.as_mut_slice() {
            let stored = f64::from(*value);
            if is_numbers {
                *value = self.height(stored);
            } else if self.no_data.is_some() && self.is_missing(stored) {
                *value = f32::NAN;
            }
        }
        if is_numbers {
            samples.meaning = self.meaning();
        }
        self.hand_on(samples);
    }
}

fn shown(number: f64) -> String {
    if number.abs() < 1e9 {
        number.to_string()
    } else {
        format!("{number:e}")
    }
}

/// Samples as stored, of a format that says nothing itself, as the user says they are.
pub fn applied(mut samples: Samples, beside: Beside<'_>) -> Result<Samples, Broken> {
    if !samples.is_ruled {
        let (rows, columns) = (samples.grid.rows() as u64, samples.grid.columns() as u64);
        Rule::new(FromFile::default(), beside, rows, columns)?.apply(&mut samples);
    }
    Ok(samples)
}
