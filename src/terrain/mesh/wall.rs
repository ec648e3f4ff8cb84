//! Side wall of a solid block: triangulation between a line of heights and a straight foot. The foot has
//! no vertices except its ends, so that the base needs only two triangles.
//!
//! ```text
//! •                       •   the line
//! │╲•──•──•──•──•──•──•──╱│
//! │╲•──•──•──•──•──•──•──╱│   below each inner point of the line one point in the wall,
//! │╲•─────•─────•─────•──╱│   then below every second of these, and so on down
//! │╲•───────────•─────•──╱│
//! •───────────────────────•   the foot
//! ```
//!
//! Points in the wall touch no other face, so they leave no gap. Without them, triangles would reach from
//! the foot's ends across the whole line, or lie between three nearly collinear points of it. Such
//! slivers break programs with exact arithmetic.

/// Vertex of a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Corner {
    /// Point of the line, by its index.
    Top(usize),
    /// Point in the wall: index of the point of the line above it, and height above the foot as a
    /// fraction, 0…1, of the line's lowest height.
    Within(usize, f32),
    /// End of the foot below the first point.
    Left,
    /// End of the foot below the last point.
    Right,
}

/// Height of the highest points in the wall, as a fraction of the line's lowest height.
const HIGHEST: f32 = 0.5;

/// Triangulate the wall below a line of `points` points, at least two, counter-clockwise for a viewer who
/// sees the line from left to right. The foot must lie below the whole line. Cost: linear in the number
/// of points, with about five triangles a point.
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
        // The first row in the wall has all points, each further row every second one above it.
        let kept = match level {
            0 => (0..upper.len()).collect(),
            _ => halved(upper.len()),
        };
        let below = |index: usize| Within(upper[index], height);
        for pair in kept.windows(2) {
            let [from, to] = [pair[0], pair[1]];
            for next in from..to {
                // All triangles but the last lean to the left end of the pair.
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

/// Number of rows of points in the wall below `points` points, until two are left.
fn levels(points: usize) -> usize {
    let mut left = points;
    let mut levels = 1;
    while left > 2 {
        left = halved(left).len();
        levels += 1;
    }
    levels
}

/// Indices of every second of `points` points, and of the last.
fn halved(points: usize) -> Vec<usize> {
    let mut kept: Vec<usize> = (0..points).step_by(2).collect();
    if points.is_multiple_of(2) {
        kept.push(points - 1);
    }
    kept
}
