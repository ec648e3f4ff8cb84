//! Where a GeoTIFF lies and how far apart its samples are.

use crate::geo::{Georeference, Keys, Unit, VERTICAL_KEY, VERTICAL_UNIT_KEY};
use crate::import::rule::{FromFile, metres_of_degrees};

/// The tags about the place, empty where they are missing.
#[derive(Debug, Default)]
pub struct Tags {
    /// ModelPixelScale: the way to the next sample eastwards and southwards.
    pub scale: Vec<f64>,
    /// ModelTiepoint: column and row of a place, then its coordinates.
    pub tie: Vec<f64>,
    /// ModelTransformation: four rows of four numbers, from column and row to coordinates.
    pub transformation: Vec<f64>,
    /// The coordinate reference system.
    pub keys: Keys,
}

/// From columns and rows to coordinates.
struct Affine {
    /// The place of column 0 and row 0, if it is known.
    origin: Option<[f64; 2]>,
    east: [f64; 2],
    south: [f64; 2],
}

impl Tags {
    fn affine(&self) -> Option<Affine> {
        let finite = |numbers: &[f64]| numbers.iter().all(|number| number.is_finite());
        if let [a, b, _, x, d, e, _, y, ..] = self.transformation[..]
            && finite(&[a, b, x, d, e, y])
            && a * e - b * d != 0.0
        {
            return Some(Affine {
                origin: Some([x, y]),
                east: [a, d],
                south: [b, e],
            });
        }
        let [x, y, ..] = self.scale[..] else {
            return None;
        };
        let (east, south) = ([x, 0.0], [0.0, -y]);
        let origin = match self.tie[..] {
            [column, row, _, at_x, at_y, ..] if finite(&[column, row, at_x, at_y]) => {
                Some([at_x - column * x, at_y + row * y])
            }
            _ => None,
        };
        (finite(&[x, y]) && x != 0.0 && y != 0.0).then_some(Affine {
            origin,
            east,
            south,
        })
    }

    /// What numbers are multiplied by, and what is then added: the third axis of both tags, where
    /// the system says what heights are.
    fn of_heights(&self) -> Option<(f64, f64)> {
        let has_heights = [VERTICAL_KEY, VERTICAL_UNIT_KEY].iter();
        { has_heights }.find_map(|key| self.keys.short(*key))?;
        let scale = *self.scale.get(2).filter(|scale| **scale != 0.0)?;
        let offset = match self.tie[..] {
            [_, _, at, _, _, height, ..] => height - at * scale,
            _ => 0.0,
        };
        let is_any = (scale, offset) != (1.0, 0.0) && scale.is_finite() && offset.is_finite();
        is_any.then_some((scale, offset))
    }
}

/// What the tags say; `height_unit` is what other tags say of the numbers' unit, in metres.
pub fn said(tags: Tags, height_unit: Option<f64>, columns: u64, rows: u64) -> FromFile {
    let unit_m = tags.keys.height_unit().or(height_unit);
    let scale = tags.of_heights();
    let Some(Affine {
        origin,
        east,
        south,
    }) = tags.affine()
    else {
        return FromFile {
            unit_m,
            scale,
            ..FromFile::default()
        };
    };
    // The middle of the north-western sample.
    let half = if tags.keys.is_area() { 0.5 } else { 0.0 };
    let middle = origin.map(|at| [0, 1].map(|axis| at[axis] + half * (east[axis] + south[axis])));
    // Rows may lead north.
    let south_first = south[1] > 0.0 && south[1].abs() > south[0].abs();
    let last = rows.saturating_sub(1) as f64;
    let (middle, south) = if south_first {
        (
            middle.map(|at| [0, 1].map(|axis| at[axis] + last * south[axis])),
            south.map(|way| -way),
        )
    } else {
        (middle, south)
    };
    let length = |way: [f64; 2]| way[0].hypot(way[1]);
    let step = [length(east), length(south)];
    let mut assumed = Vec::new();
    let centre = middle.map(|at| {
        let (across, down) = ((columns - 1) as f64 / 2.0, (rows - 1) as f64 / 2.0);
        at[1] + across * east[1] + down * south[1]
    });
    if centre.is_none() && !tags.keys.is_true_to_scale() {
        assumed.push("the equator, since no place is given".to_owned());
    }
    let centre = centre.unwrap_or(0.0);
    let step_m = match tags.keys.unit() {
        Unit::Metres(unit) => {
            let shrink = tags.keys.shrink(centre);
            [0, 1].map(|axis| step[axis] * unit * shrink[axis])
        }
        Unit::Degrees => metres_of_degrees(step, centre),
    };
    FromFile {
        unit_m,
        scale,
        step_m: Some(step_m),
        place: middle.map(|origin| Georeference {
            keys: tags.keys,
            origin,
            east,
            south,
        }),
        assumed,
        south_first,
        ..FromFile::default()
    }
}
