//! The numbers in maps.

use super::*;

/// A map of half-tile heights at x (east) and z (south), each −1…1.
fn ground(rows: usize, columns: usize, height: impl Fn(f32, f32) -> f32) -> Heightmap {
    let flat = Heightmap::new(rows, columns, false, vec![0.0; rows * columns]);
    let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let heights = places.map(|(row, column)| height(flat.x(column), flat.z(row)));
    Heightmap::new(rows, columns, false, heights.collect::<Vec<_>>())
}

#[track_caller]
fn check_all(map: &Heightmap, wanted: f32, tolerance: f32) {
    for (index, number) in map.heights().iter().enumerate() {
        let (row, column) = (index / map.columns(), index % map.columns());
        assert!(
            (number - wanted).abs() <= tolerance,
            "{number}, not {wanted}, at {row}, {column}"
        );
    }
}

#[test]
fn plane_has_its_slope_everywhere_to_the_border() {
    for (east, south) in [(0.5, 0.0), (0.0, -0.25), (0.3, 0.4), (-1.0, 2.0)] {
        let plane = ground(9, 14, |x, z| 0.1 + east * x + south * z);
        let steep = east.hypot(south).atan().to_degrees();
        check_all(&numbers("slope", &plane, 1000.0), steep, 1e-4);
    }
    check_all(&numbers("slope", &ground(5, 5, |_, _| 3.0), 1.0), 0.0, 0.0);
}

#[test]
fn aspect_is_the_compass_direction_of_the_fall() {
    // It rises to the south, so it falls to the north.
    for (east, south, degrees) in [
        (0.0, 1.0, 0.0),
        (-1.0, 0.0, 90.0),
        (0.0, -1.0, 180.0),
        (1.0, 0.0, 270.0),
        (-1.0, 1.0, 45.0),
        (1.0, 1.0, 315.0),
    ] {
        let plane = ground(6, 9, |x, z| east * x + south * z);
        check_all(&numbers("aspect", &plane, 1.0), degrees, 1e-3);
    }
    let level = ground(4, 4, |_, _| 0.5);
    check_all(&numbers("aspect", &level, 1.0), -1.0, 0.0);
}

#[test]
fn hillshade_of_a_plane_is_the_light_cosine() {
    let (east, south) = (0.3f32, -0.4f32);
    let plane = ground(7, 5, |x, z| east * x + south * z);
    for (bearing, elevation) in [(90.0, 90.0), (135.0, 20.0), (315.0, 30.0), (180.0, 5.0)] {
        let light = Light {
            bearing,
            elevation,
            ..Light::default()
        };
        let normal = Vec3::new(-east, 1.0, -south).normalize();
        let wanted = 1.0 + 254.0 * normal.dot(light.direction()).max(0.0);
        let shaded = numbers_of("hillshade", &Relief::of(&plane, 1.0), &light);
        check_all(&shaded, wanted, 1e-3);
    }
}

#[test]
fn sphere_curvature_is_the_inverse_radius() {
    // Radius 3 half tiles of 500 m; a bowl is the sphere turned over.
    for sign in [1.0f32, -1.0] {
        let sphere = ground(129, 129, |x, z| sign * (9.0 - x * x - z * z).sqrt());
        let curvature = numbers("curvature", &sphere, 1000.0);
        for row in 1..128 {
            for column in 1..128 {
                let radius = sign / (curvature.at(row, column));
                assert!(
                    (radius - 1500.0).abs() < 15.0,
                    "{radius} at {row}, {column}"
                );
            }
        }
    }
    // z = a·x² + b·y² at its lowest point has the mean of 2a and 2b; in a valley it is below 0.
    let bowl = ground(5, 5, |x, z| 0.25 * x * x + 0.5 * z * z);
    assert_eq!(numbers("curvature", &bowl, 2.0).at(2, 2), -0.75);
    check_all(
        &numbers("curvature", &ground(9, 9, |x, z| 0.5 * x - 0.25 * z), 2.0),
        0.0,
        1e-4,
    );
}

#[test]
fn normals_match_the_window_and_up_is_blue() {
    let map = fractal(4);
    let relief = Relief::of(&map, 1.0);
    let gl8 = relief::bits8(&relief, Green::North, &Job::new()).unwrap();
    let gl16 = relief::bits16(&relief, Green::North, &Job::new()).unwrap();
    for row in 0..17 {
        for column in 0..17 {
            let normal = map.normal(row, column);
            // North is −z.
            let wanted = [normal.x, -normal.z, normal.y];
            for channel in 0..3 {
                let at = row * 17 + column;
                let near = |value: f32, top: f32| {
                    (value / top * 2.0 - 1.0 - wanted[channel]).abs() <= 1.01 / top
                };
                assert!(near(gl8[at][channel].into(), 255.0));
                assert!(near(gl16[at][channel].into(), 65535.0));
            }
        }
    }
    let level = ground(3, 3, |_, _| 1.0);
    let level = relief::bits8(&Relief::of(&level, 1.0), Green::North, &Job::new()).unwrap();
    assert!(level.iter().all(|color| *color == [128, 128, 255]));
    // A plane that rises to the north-east: it faces south-west, away from red and green.
    let plane = ground(3, 3, |x, z| x - z);
    let [r, g, b] = relief::bits8(&Relief::of(&plane, 1.0), Green::North, &Job::new()).unwrap()[0];
    assert_eq!([r, g, b], [54, 54, 201]);
}

#[test]
fn directx_is_opengl_with_green_turned_over() {
    let map = fractal(5);
    let relief = Relief::of(&map, 1.0);
    let job = Job::new();
    let gl = relief::bits8(&relief, Green::North, &job).unwrap();
    let dx = relief::bits8(&relief, Green::South, &job).unwrap();
    let pairs = gl.iter().zip(&dx);
    assert!(pairs.clone().all(|(g, d)| *d == [g[0], 255 - g[1], g[2]]));
    let gl = relief::bits16(&relief, Green::North, &job).unwrap();
    let dx = relief::bits16(&relief, Green::South, &job).unwrap();
    let pairs = gl.iter().zip(&dx);
    assert!(pairs.clone().all(|(g, d)| *d == [g[0], 65535 - g[1], g[2]]));
}

const RELIEF_MAPS: [&str; 4] = ["slope", "aspect", "curvature", "hillshade"];

#[test]
fn a_map_that_wraps_has_maps_that_wrap() {
    let map = fractal(5);
    assert!(map.wraps());
    for name in RELIEF_MAPS {
        let made = numbers(name, &map, 1000.0);
        assert!(made.wraps());
        for i in 0..33 {
            assert_eq!(made.at(i, 0), made.at(i, 32), "{name}");
            assert_eq!(made.at(0, i), made.at(32, i), "{name}");
        }
    }
    let colors = relief::bits16(&Relief::of(&map, 1.0), Green::North, &Job::new()).unwrap();
    for i in 0..33 {
        assert_eq!(colors[i * 33], colors[i * 33 + 32]);
        assert_eq!(colors[i], colors[32 * 33 + i]);
    }
}

#[test]
fn a_rectangle_has_the_numbers_of_the_whole() {
    let map = fractal(6);
    let light = Light::default();
    for name in RELIEF_MAPS {
        let whole = numbers_of(name, &Relief::of(&map, 500.0), &light);
        for (row, column, rows, columns) in [(0, 0, 9, 30), (40, 20, 25, 45), (7, 9, 1, 1)] {
            let region = Region {
                row,
                column,
                rows,
                columns,
            };
            let part = Relief::new(&map, region, map.spacing(), 500.0);
            let part = numbers_of(name, &part, &light);
            for line in 0..rows {
                let first = column as usize;
                let wanted = &whole.row(row as usize + line)[first..first + columns];
                assert_eq!(part.row(line), wanted, "{name} at {region:?}");
            }
        }
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let map = fractal(8);
    let palette = Palette::named("alpine").unwrap();
    let of_threads = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| {
            let relief = Relief::of(&map, 1000.0);
            let (light, job) = (Light::default(), Job::new());
            let maps = RELIEF_MAPS.map(|name| numbers_of(name, &relief, &light));
            let normals = relief::bits8(&relief, Green::North, &job).unwrap();
            let bands = Bands::new(palette, map.range());
            let weights = bands.weights(&relief, &job).unwrap();
            let colors = colors::bake(&map, palette, None, &light, &job).unwrap();
            (maps, normals, weights, colors)
        })
    };
    assert_eq!(of_threads(1), of_threads(3));
}

#[test]
fn band_weights_sum_to_255_and_blend_palette() {
    for palette in Palette::builtin() {
        let bands = Bands::new(palette, (-2.0, 3.0));
        for step in -20..1020 {
            let t = step as f32 / 1000.0;
            let weights = bands.at(-2.0 + 5.0 * t);
            let each = (0..bands.colors.len()).map(|band| u32::from(weights.of(band)));
            assert_eq!(each.sum::<u32>(), 255, "{} at {t}", palette.name);
            let wanted = palette.color(t.clamp(0.0, 1.0));
            for (channel, wanted) in wanted.iter().enumerate() {
                let mixed = bands
                    .colors
                    .iter()
                    .enumerate()
                    .map(|(band, color)| f32::from(weights.of(band)) / 255.0 * color[channel]);
                let mixed: f32 = mixed.sum();
                // Rounding may put a hard step on either side of its height.
                let at_a_step = palette.stops.iter().any(|stop| (stop.at - t).abs() < 1e-5);
                assert!(at_a_step || (mixed - wanted).abs() < 0.003);
            }
        }
    }
    let martz = Bands::new(Palette::named("martz").unwrap(), (0.0, 1.0));
    assert_eq!(martz.colors.len(), 3);
}
