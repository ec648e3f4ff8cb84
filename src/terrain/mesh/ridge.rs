//! Ridge line of a profile.

use crate::terrain::heightmap::Heightmap;

/// Points x, y of a profile that is repeated `tile` times side by side. The tiles are scaled so that the
/// whole spans −1…1; heights are scaled with them. Where tiles meet, a profile that wraps has one point,
/// any other has two.
///
/// # Panics
/// The map is not a profile.
#[must_use]
pub fn points(profile: &Heightmap, tile: u32) -> Vec<[f32; 2]> {
    assert!(profile.is_profile(), "a profile");
    let scale = 1.0 / tile as f32;
    let mut points = Vec::with_capacity(profile.columns() * tile as usize);
    for index in 0..tile {
        let middle = (2 * index + 1) as f32 - tile as f32;
        let shared = usize::from(index > 0 && profile.wraps());
        points.extend((shared..profile.columns()).map(|column| {
            let x = profile.x(column) + middle;
            [x * scale, profile.at(0, column) * scale]
        }));
    }
    points
}

/// Index pairs that join `count` points one after the other.
pub fn indices(count: usize) -> impl Iterator<Item = [u32; 2]> {
    (1..count as u32).map(|next| [next - 1, next])
}
