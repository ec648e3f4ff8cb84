//! Conversion of stored numbers to heights, the same for all formats. It combines the file's metadata, the
//! sidecar, the user's import options and, where these leave a gap, assumptions.

use super::reader::{Broken, FileContext, Metadata, Numbers, Raster, check_memory};
use super::samples::{
    Assumption, EARTH, Meaning, NO_DATA_FLAG, NumberUnit, SIZE_FLAG, SPACING_FLAG, Samples,
    SquareGrid, UNIT_FLAG,
};
use crate::files::formats::metres::{in_half_tiles, tile_size_m};
use crate::files::formats::sidecar::Sidecar;
use crate::generate::{InputUnit, NoData};
use crate::terrain::geo::FOOT;
use crate::terrain::grid::Grid;
use crate::util::language::tr;

/// Values that usually mean no data, for files that do not state one.
const NO_DATA: [f64; 3] = [-9999.0, -32_768.0, f32::MIN as f64];
/// The magnitude beyond which all numbers of one sign equal a no-data value of that sign: programs write the
/// lowest 32-bit float with different rounding.
const NO_HEIGHT: f64 = 1e30;
/// Lowest and highest plausible height on any body, in metres: the highest summit, on Mars, has 22 km.
const ANY_BODY: (f64, f64) = (-30_000.0, 30_000.0);

/// Conversion rule from stored numbers to heights.
#[derive(Debug)]
struct Rule {
    /// The unit of the numbers, if it is known.
    unit: Option<NumberUnit>,
    /// Length of the longer side after resampling to square cells, in metres.
    tile_size_m: Option<f32>,
    scale: Option<(f64, f64)>,
    no_data: Option<f64>,
    guesses: bool,
}

impl Rule {
    /// Apply scale and offset to a stored number.
    fn number(&self, stored: f64) -> f64 {
        match self.scale {
            Some((factor, offset)) => offset + factor * stored,
            None => stored,
        }
    }

    /// True if a stored number means no data.
    fn is_missing(&self, stored: f64) -> bool {
        let Some(none) = self.no_data else {
            return self.guesses && NO_DATA.contains(&stored);
        };
        // The value may be given in decimals, or with fewer digits than the samples have.
        stored == none
            || stored as f32 == none as f32
            || (none.abs() > NO_HEIGHT && stored.abs() > NO_HEIGHT && stored * none > 0.0)
    }

    /// Convert a stored number to half tiles; without a known unit and width, to a plain number.
    fn height(&self, stored: f64) -> f32 {
        let number = self.number(stored);
        match (self.unit, self.tile_size_m) {
            (Some(NumberUnit::Metres(unit)), Some(size)) => in_half_tiles(number * unit, size),
            _ => number as f32,
        }
    }

    /// Heights of the levels 0 and `top` in half tiles; `None` if the unit or the width is unknown.
    fn levels(&self, top: u16) -> Option<(f64, f64)> {
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

    /// The meaning of the values that [`Rule::height`] returns.
    fn meaning(&self) -> Meaning {
        match (self.unit, self.tile_size_m) {
            (Some(NumberUnit::HalfTiles), _) | (Some(NumberUnit::Metres(_)), Some(_)) => {
                Meaning::Heights
            }
            _ => Meaning::Numbers,
        }
    }
}

/// Derive the rule, the grid of square cells, and true if the unit is assumed.
///
/// Spacing, unit and no-data value come from the user, the sidecar and the file.
fn rule(raster: &Raster, context: FileContext<'_>) -> Result<(Rule, SquareGrid, bool), Broken> {
    let (stated, reading) = (&raster.stated, context.reading);
    let by_user = reading.spacing().map_err(wrong_reading)?;
    let of_sidecar = context.sidecar.and_then(Sidecar::step_m);
    // The sidecar's spacing belongs to its unit, so another unit overrides both.
    let of_sidecar = of_sidecar.filter(|_| reading.unit != InputUnit::Auto);
    let of_sidecar = of_sidecar.map(|step| [step; 2]);
    let step_m = by_user.or(stated.step_m).or(of_sidecar);
    let squares = SquareGrid::new(step_m, raster.rows as u64, raster.columns as u64);
    if squares.are_new() {
        // The stored samples stay in memory until resampling is done.
        check_memory(squares.columns as u64, squares.rows as u64, 4)?;
    }
    let size = |step| tile_size_m(step, squares.rows as u64, squares.columns as u64);
    let (no_data, guesses) = match reading.no_data().map_err(wrong_reading)? {
        NoData::Number(number) => (Some(number), false),
        NoData::Nothing => (None, false),
        NoData::AsFile => {
            let is_known = stated.knows_missing || stated.is_ours || context.sidecar.is_some();
            let of_sidecar = context.sidecar.and_then(|sidecar| sidecar.no_data.as_ref());
            let of_sidecar = of_sidecar.and_then(|number| number.as_f64());
            let no_data = stated.no_data.or(of_sidecar);
            (no_data, no_data.is_none() && !is_known)
        }
    };
    // A file that states its sample spacing is a map, so its heights are taken as metres.
    let is_map = stated.step_m.is_some() || (by_user.is_some() && context.sidecar.is_none());
    let (unit, is_assumed) = match reading.unit {
        InputUnit::Metres => (Some(NumberUnit::Metres(1.0)), false),
        InputUnit::Feet => (Some(NumberUnit::Metres(FOOT)), false),
        InputUnit::Unit => (Some(NumberUnit::HalfTiles), false),
        InputUnit::Auto if stated.unknown_unit.is_some() => {
            let unit = stated.unknown_unit.as_deref().unwrap_or_default();
            return Err(Broken::wrong(tr!(
                "its heights are in `{unit}`, an unknown unit; set their unit with --input-unit",
                unit
            )));
        }
        InputUnit::Auto => match stated.unit_m {
            Some(unit) => (Some(NumberUnit::Metres(unit)), false),
            None => (is_map.then_some(NumberUnit::Metres(1.0)), true),
        },
    };
    let rule = Rule {
        unit,
        tile_size_m: squares.step_m.and_then(size),
        scale: stated.scale,
        no_data,
        guesses,
    };
    Ok((rule, squares, is_assumed))
}

/// Convert the samples of a raster to heights; levels stay levels.
///
/// # Errors
/// An import option is wrong, or there is too little memory.
pub fn samples(mut raster: Raster, context: FileContext<'_>) -> Result<Samples, Broken> {
    let reading = context.reading;
    let (mut rule, squares, is_assumed) = rule(&raster, context)?;
    let guessed = clear_missing(&mut raster, &rule);
    let Raster {
        rows,
        columns,
        numbers,
        top,
        is_color,
        is_bare,
        stated,
        step_heights,
        old_step_heights,
        steps_tile_m,
        fine,
    } = raster;
    let mut notices = stated.notices.clone();
    let mut meaning = rule.meaning();
    if let Some(top) = top {
        // 16-bit unsigned integers count as metres on a map from another program.
        let is_map = top == u16::MAX && stated.step_m.is_some() && !stated.is_ours;
        let has_unit = !is_assumed || stated.scale.is_some() || is_map;
        if is_assumed && (!has_unit || is_color) {
            rule.unit = None;
        }
        let of_rule = rule.levels(top).filter(|_| has_unit && !is_color);
        let trusted = step_heights.filter(|_| context.trusts_sidecar());
        let heights = trusted.or(of_rule);
        meaning = Meaning::Levels { top, heights };
    }
    if !stated.is_ours && reading.no_data.is_empty() && stated.step_m.is_some() {
        notices.extend(notice_of_impossible(&numbers, &rule, &stated));
    }
    let values = match (numbers, top) {
        (Numbers::Single(values), Some(_)) => values,
        (Numbers::Single(mut values), None) => {
            for value in &mut values {
                *value = rule.height(f64::from(*value));
            }
            values
        }
        (Numbers::Double(values), Some(_)) => values.iter().map(|value| *value as f32).collect(),
        (Numbers::Double(values), None) => values.iter().map(|value| rule.height(*value)).collect(),
    };
    let mut grid = Grid::from_vec(rows, columns, values).ok_or_else(Broken::cut_short)?;
    if let (Some(moves), Meaning::Heights, true) = (fine, meaning, stated.is_ours) {
        refine(grid.as_mut_slice(), &moves);
    }
    let guessed = guessed.map(|number| tr!("{} is no data", shown(number)));
    let guessed = guessed.map(|words| Assumption::new(NO_DATA_FLAG, words));
    let sizes = stated.assumed_size.into_iter();
    let sizes = sizes.map(|words| Assumption::new(SIZE_FLAG, words));
    let mut assumed: Vec<_> = guessed.into_iter().chain(sizes).collect();
    if reading.spacing.is_empty() {
        let spacing = stated.assumed_spacing.into_iter();
        assumed.extend(spacing.map(|words| Assumption::new(SPACING_FLAG, words)));
    }
    let range = reading.range().map_err(wrong_reading)?;
    let is_map = matches!(rule.unit, Some(NumberUnit::Metres(_)));
    if is_assumed && is_map && range.is_none() && !stated.is_ours {
        assumed.push(Assumption::new(UNIT_FLAG, tr("heights in metres")));
    }
    let mut samples = Samples {
        stored: (rows, columns),
        grid,
        meaning,
        tile_size_m: rule.tile_size_m,
        filled: 0,
        valid: None,
        place: stated.place.map(|place| squares.place(place)),
        assumed,
        old_range: old_step_heights.filter(|_| context.trusts_sidecar()),
        steps_tile_m,
        is_bare,
        in_vain: None,
        unit: rule.unit,
        range,
        squares,
        notices,
    };
    if stated.south_first {
        samples.turn();
    }
    Ok(samples)
}

/// Make the error for an invalid import option.
fn wrong_reading(allowed: String) -> Broken {
    Broken::wrong(tr!(
        "a setting for reading it is wrong; allowed: {allowed}",
        allowed
    ))
}

/// Heights in metres at full precision, on the file's own grid, the northern row first; NaN means no data.
///
/// `None` if the numbers are not metres, or if cells are not square, so that the grid differs from that of
/// the map.
///
/// # Errors
/// As [`samples`].
pub fn metres(mut raster: Raster, context: FileContext<'_>) -> Result<Option<Grid<f64>>, Broken> {
    let (rule, squares, _) = rule(&raster, context)?;
    let unit = match rule.unit {
        Some(NumberUnit::Metres(unit)) => unit,
        // Numbers of unknown unit are taken as metres here.
        None if raster.top.is_none() => 1.0,
        _ => return Ok(None),
    };
    let is_range = !context.reading.range.is_empty();
    if squares.are_new() || is_range || raster.stated.is_ours || raster.is_color {
        return Ok(None);
    }
    check_memory(raster.columns as u64, raster.rows as u64, 8)?;
    clear_missing(&mut raster, &rule);
    let metres = |row: usize, column: usize| {
        let row = if raster.stated.south_first {
            raster.rows - 1 - row
        } else {
            row
        };
        rule.number(raster.numbers.at(row * raster.columns + column)) * unit
    };
    let all = (0..raster.rows).flat_map(|row| (0..raster.columns).map(move |column| (row, column)));
    let values = all.map(|(row, column)| metres(row, column)).collect();
    Ok(Grid::from_vec(raster.rows, raster.columns, values))
}

/// Replace no-data values by NaN. Returns the value if it was only guessed.
fn clear_missing(raster: &mut Raster, rule: &Rule) -> Option<f64> {
    if rule.no_data.is_none() && !rule.guesses {
        return None;
    }
    let mut guessed = None;
    for index in 0..raster.numbers.len() {
        let stored = raster.numbers.at(index);
        if rule.is_missing(stored) {
            raster.numbers.clear(index);
            if rule.guesses {
                guessed = Some(stored);
            }
        }
    }
    guessed
}

/// Make a notice of heights that cannot exist, since they may be unstated no-data values.
fn notice_of_impossible(numbers: &Numbers, rule: &Rule, stated: &Metadata) -> Option<String> {
    let Some(NumberUnit::Metres(unit)) = rule.unit else {
        return None;
    };
    let (least, most) = if stated.is_elsewhere {
        ANY_BODY
    } else {
        (EARTH.0.into(), EARTH.1.into())
    };
    let (mut count, mut first) = (0_usize, None);
    for index in 0..numbers.len() {
        let stored = numbers.at(index);
        let metres = rule.number(stored) * unit;
        if metres < least || metres > most {
            count += 1;
            first.get_or_insert(stored);
        }
    }
    let number = shown(first?);
    if count * 2 > numbers.len() {
        return Some(tr!(
            "{count} samples have impossible heights such as {number}; set their unit with \
             --input-unit",
            count,
            number
        ));
    }
    Some(tr!(
        "{count} samples have impossible heights such as {number}; --input-nodata {number} treats \
         these as missing data",
        count,
        number
    ))
}

/// Restore the last bit of heights from Landform's own TIFF tag. Two bits per sample select the same float
/// or one of its two neighbours.
fn refine(heights: &mut [f32], moves: &[u8]) {
    if moves.len() != heights.len().div_ceil(4) {
        return;
    }
    for (index, height) in heights.iter_mut().enumerate() {
        let bits = height.to_bits();
        *height = match moves[index / 4] >> (index % 4 * 2) & 3 {
            1 => f32::from_bits(bits.wrapping_add(1)),
            2 => f32::from_bits(bits.wrapping_sub(1)),
            _ => *height,
        };
    }
}

fn shown(number: f64) -> String {
    if number.abs() < 1e9 {
        number.to_string()
    } else {
        format!("{number:e}")
    }
}
