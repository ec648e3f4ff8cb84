//! The wall from a line of heights down to a flat foot, of as few triangles as the line has
//! points: the foot needs no point but its ends.
//!
//! ```text
//!     •           peaks are cut off, until what is left of the line is a valley, of
//!   ╱   ╲   •     which the slopes are joined to the ends of the foot on their own
//! • ───── •       side, and the lowest point to both
//! │ ╲   ╱ │
//! •───────•
//! ```

/// A corner of a wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Corner {
    /// A point of the line.
    Top(usize),
    /// The foot below the first point.
    Left,
    /// The foot below the last point.
    Right,
}

/// The triangles of a wall, counter-clockwise for one who sees the line from left to right.
/// Points of the line are place along the wall, rising, and height above the foot, more than 0;
/// at least two. As many triangles come back; time and memory grow with their number.
#[must_use]
pub fn triangles(line: &[[f32; 2]]) -> Vec<[Corner; 3]> {
    use Corner::{Left, Right, Top};
    let mut found = Vec::with_capacity(line.len());
    let mut valley: Vec<usize> = Vec::new();
    for next in 0..line.len() {
        while let [.., before, last] = valley[..]
            && is_above(line[last], line[before], line[next])
        {
            found.push([Top(before), Top(next), Top(last)]);
            valley.pop();
        }
        valley.push(next);
    }
    let height = |at: &usize| line[*at][1];
    let lowest = (1..valley.len()).fold(0, |lowest, index| {
        let is_lower = height(&valley[index]) < height(&valley[lowest]);
        if is_lower { index } else { lowest }
    });
    for (index, side) in valley.windows(2).enumerate() {
        let foot = if index < lowest { Left } else { Right };
        found.push([foot, Top(side[1]), Top(side[0])]);
    }
    found.extend(valley.get(lowest).map(|at| [Left, Right, Top(*at)]));
    found
}

/// Whether a point is above the line from `left` to `right`.
fn is_above(point: [f32; 2], left: [f32; 2], right: [f32; 2]) -> bool {
    let from_left = |at: [f32; 2]| [0, 1].map(|axis| f64::from(at[axis]) - f64::from(left[axis]));
    let (point, right) = (from_left(point), from_left(right));
    right[0] * point[1] > right[1] * point[0]
}
