//! Read-out of the status line for the ground point under the mouse: height, slope and coordinates.

use crate::app::state::Shown;
use crate::camera::Spot;
use crate::util::language::tr;
use crate::util::numbers::{fixed, metres_per_unit};

/// Texts for a ground point: height, slope, sample and coordinates, the most important first. The
/// tile has side `tile_size_m`.
#[must_use]
pub fn words(spot: &Spot, shown: &Shown, tile_size_m: f32) -> Vec<String> {
    let metres = spot.height * metres_per_unit(tile_size_m);
    let decimals = match metres.abs() {
        size if size < 10.0 => 2,
        size if size < 1000.0 => 1,
        _ => 0,
    };
    let whole = |count: usize| ((count - 1) * shown.stride) as f64;
    let [column, row] = [(0, shown.columns), (1, shown.rows)]
        .map(|(axis, count)| (spot.on_tile[axis] * whole(count)).round());
    let coordinates = match &shown.place {
        Some(place) => place.format_point(spot.from_corner),
        None => tr!(
            "tile {}, {}",
            format_args!("{:.4}", spot.on_tile[0]),
            format_args!("{:.4}", spot.on_tile[1])
        ),
    };
    vec![
        tr!(
            "height {metres} m ({})",
            fixed(spot.height, 4),
            metres = fixed(metres, decimals)
        ),
        tr!("slope {}°", fixed(spot.slope, 1)),
        tr!("column {column}, row {row}", column, row),
        coordinates,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::geo::{Georeference, Keys, known_unit};
    use std::time::Duration;

    fn shown(place: Option<Georeference>) -> Shown {
        Shown {
            rows: 65,
            columns: 129,
            stride: 2,
            requested_hurst: None,
            made_in: Duration::ZERO,
            coarse: false,
            place,
        }
    }

    /// A quarter of the tile east, half of it south; the tile is half as high as it is wide.
    const SPOT: Spot = Spot {
        height: 0.25,
        slope: 12.34,
        on_tile: [0.25, 0.5],
        from_corner: [0.5, 0.5],
    };

    #[test]
    fn places_are_in_metres_samples_and_tile_parts() {
        let words = words(&SPOT, &shown(None), 2000.0);
        let wanted = [
            "height 250.0 m (0.2500)",
            "slope 12.3°",
            "column 64, row 64",
            "tile 0.2500, 0.5000",
        ];
        assert_eq!(words, wanted);
    }

    #[test]
    fn earth_map_has_coordinates_of_its_system() {
        let place = |code, origin, east, south| {
            let unit = known_unit(code).unwrap();
            let place = Georeference {
                keys: Keys::of_epsg(code, unit),
                unit,
                text: String::new(),
                origin,
                east,
                south,
            };
            words(&SPOT, &shown(Some(place)), 2000.0).pop().unwrap()
        };
        let metres = place(
            25832,
            [600_000.0, 5_200_000.0],
            [4000.0, 0.0],
            [0.0, -4000.0],
        );
        assert_eq!(metres, "E 601000.0, N 5199000.0 (EPSG:25832)");
        let degrees = place(4326, [-71.0, -30.0], [1.0, 0.0], [0.0, -1.0]);
        assert_eq!(degrees, "30.25000° S, 70.75000° W (EPSG:4326)");
    }
}
