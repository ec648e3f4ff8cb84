//! Pour point of a watershed as a command-line value.

use super::change::Change;
use crate::terrain::measure::PourPoint;

/// The suffix that selects the exact sample instead of the river nearby.
const EXACT: &str = "exact";

/// Parse `X,Z` or `X,Z,exact`.
pub fn read(text: &str) -> Result<PourPoint, String> {
    let mut parts: Vec<_> = text.split(',').map(str::trim).collect();
    let snaps = parts.pop_if(|last| *last == EXACT).is_none();
    let numbers: Option<Vec<f32>> = (parts.into_iter())
        .map(|number| number.parse().ok().filter(|n: &f32| n.is_finite()))
        .collect();
    let place = numbers.and_then(|numbers| numbers.try_into().ok());
    let place = place.ok_or(
        "allowed is X,Z in half tiles from the middle, such as 0.2,-0.35, and after that ,exact",
    )?;
    Ok(PourPoint { place, snaps })
}

/// The point as changes of scene keys.
pub fn changes(PourPoint { place, snaps }: PourPoint) -> [Change; 2] {
    let change = |key, value| Change {
        flag: "--watershed",
        key,
        value,
        allowed: "X,Z, each -1 to 1".to_owned(),
    };
    [
        change("analysis.watershed", format!("{place:?}")),
        change("analysis.watershed_snap", snaps.to_string()),
    ]
}
