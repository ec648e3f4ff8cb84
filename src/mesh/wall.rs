//! The wall from a line of heights down to a flat foot. The foot has no point but its ends, so that
//! the base below it needs no more than two triangles.
//!
//! ```text
//! •                       •   the line
//! │╲•──•──•──•──•──•──•──╱│
//! │╲•──•──•──•──•──•──•──╱│   below each of its points but the ends one in the wall,
//! │╲•─────•─────•─────•──╱│   then below every second of these, and so on down
//! │╲•───────────•─────•──╱│
//! •───────────────────────•   the foot
//! ```
//!
//! Points in the wall touch no other face, so they leave no gap. Without them, triangles would
//! reach from the foot's ends to the other end of the line, or lie between three points of the line
//! that are almost on a straight one: slivers, which stop programs that calculate exactly.

/// A corner of a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Corner {
    /// A point of the line.
    Top(usize),
    /// A point in the wall: below that point of the line, at that height above the foot, 0…1 of the
    /// least height of the line.
    Within(usize, f32),
    /// The foot below the first point.
    Left,
    /// The foot below the last point.
    Right,
}

/// The height of the highest points in the wall, as a share of the least height of the line.
const HIGHEST: f32 = 0.5;

/// The triangles of a wall below a line of `points` points, at least two, counter-clockwise for
/// somebody who sees the line from left to right. The foot lies below all of the line. Time and
/// memory grow with the number of points; there are about five triangles a point.
#[must_use]
pub fn triangles(points: usize) -> Vec<[Corner; 3]> {
    use Corner::{Left, Right, Top, Within};
    let last = points - 1;
    let mut upper: Vec<usize> = (1..last).collect();
    let (Some(west), Some(east)) = (upper.first().copied(), upper.last().copied()) else {
        return vec![[Left, Right, Top(last)], [Left, Top(last), Top(0)]];
    };
    let mut found = vec![[Left, Top(west), Top(0)], [Right, Top(last), Top(east)]];
    let levels = levels(upper.len());
    let mut above: fn(usize, f32) -> Corner = |at, _| Top(at);
    let mut height_above = 0.0;
    for level in 0..levels {
        let height = HIGHEST * (levels - level) as f32 / levels as f32;
        let top = |index: usize| above(upper[index], height_above);
        // The first line in the wall has all points, each further one half of those above it.
        let kept = match level {
            0 => (0..upper.len()).collect(),
            _ => halved(upper.len()),
        };
        let below = |index: usize| Within(upper[index], height);
        for pair in kept.windows(2) {
            let [from, to] = [pair[0], pair[1]];
            for next in from..to {
                // All triangles but the last lean to the west end of the pair.
                if next + 1 < to || to == from + 1 {
                    found.push([below(from), top(next + 1), top(next)]);
                }
            }
            if to > from + 1 {
                found.push([below(to), top(to), top(to - 1)]);
                found.push([below(from), below(to), top(to - 1)]);
            } else {
                found.push([below(from), below(to), top(to)]);
            }
        }
        let end = upper.len() - 1;
        found.push([Left, below(0), top(0)]);
        found.push([Right, top(end), below(end)]);
        upper = kept.iter().map(|index| upper[*index]).collect();
        (above, height_above) = (Within, height);
    }
    let lowest = |at: usize| Within(at, height_above);
    match upper[..] {
        [only] => found.push([Left, Right, lowest(only)]),
        _ => {
            found.push([Left, lowest(east), lowest(west)]);
            found.push([Left, Right, lowest(east)]);
        }
    }
    found
}

/// The number of lines of points in the wall below `points` points, until two are left.
fn levels(points: usize) -> usize {
    let mut left = points;
    let mut levels = 1;
    while left > 2 {
        left = halved(left).len();
        levels += 1;
    }
    levels
}

/// Every second of `points` points, and the last.
fn halved(points: usize) -> Vec<usize> {
    let mut kept: Vec<usize> = (0..points).step_by(2).collect();
    if points.is_multiple_of(2) {
        kept.push(points - 1);
    }
    kept
}
