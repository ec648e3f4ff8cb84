//! Contours, labels and profiles as numbers.

use super::*;

fn cone(side: usize) -> Heightmap {
    map(side, false, |x, z| 1.0 - x.hypot(z))
}

#[test]
fn steps_are_round() {
    for (least, step) in [
        (1.0, 1.0),
        (1.1, 2.0),
        (2.0, 2.0),
        (4.0, 5.0),
        (5.5, 10.0),
        (70.0, 100.0),
        (0.03, 0.05),
        (0.1, 0.1),
        (1e-7, 1e-7),
        (0.0, 1.0),
        (-3.0, 1.0),
        (f64::NAN, 1.0),
        (f64::INFINITY, 1.0),
    ] {
        assert_eq!(round_step(least), step, "{least}");
    }
    assert_eq!([1.0, 2.0, 5.0].map(next_step), [2.0, 5.0, 10.0]);
    // By itself between 6 and 15 contours, whatever the range.
    for exponent in -30..60 {
        let range = 1.37f64.powi(exponent);
        let count = range / spacing(0.0, range);
        assert!((5.9..=15.001).contains(&count), "{count} over {range}");
    }
    assert_eq!(spacing(12.5, 100.0), 12.5);
    // So many that they would hide the ground are thinned out.
    assert!(1e6 / spacing(0.01, 1e6) <= MOST_CONTOURS);
    assert_eq!([0, 5, -10, 3].map(is_heavy), [true, true, true, false]);
}

#[test]
fn a_cone_has_circles() {
    let cone = cone(129);
    let lines = contours(&cone, 0.2);
    // At 0.2, 0.4, 0.6, 0.8 rings, below arcs around the corners.
    for index in 1..=4 {
        let rings: Vec<&Contour> = lines.iter().filter(|line| line.index == index).collect();
        let [ring] = rings[..] else {
            panic!("{} rings at {index}", rings.len());
        };
        assert!(ring.closed);
        assert_eq!(ring.points.first(), ring.points.last());
        let radius = 1.0 - 0.2 * index as f32;
        for [column, row] in &ring.points {
            let (x, z) = (column / 64.0 - 1.0, row / 64.0 - 1.0);
            assert!((x.hypot(z) - radius).abs() < 2e-3, "{x} {z} at {radius}");
        }
    }
    let corners: Vec<_> = lines.iter().filter(|line| line.index == -1).collect();
    assert_eq!(corners.len(), 4);
    for arc in corners {
        assert!(!arc.closed);
        for end in [arc.points[0], arc.points[arc.points.len() - 1]] {
            assert!(end.iter().any(|at| *at == 0.0 || *at == 128.0), "{end:?}");
        }
    }
}

#[test]
fn higher_ground_is_to_the_right() {
    for line in contours(&cone(65), 0.25).iter().filter(|line| line.closed) {
        // Clockwise on a map with north at the top, around the summit.
        let area: f32 = line
            .points
            .windows(2)
            .map(|p| p[0][0] * p[1][1] - p[1][0] * p[0][1])
            .sum();
        assert!(area > 0.0);
    }
}

#[test]
fn saddles_by_hand() {
    // Corners a and d high, b and e low: the middle of the bilinear cell says who is joined.
    let cell = |low: f32| {
        let heights = vec![1.0, low, low, 1.0];
        contours(&Heightmap::new(2, 2, false, heights), 0.5)
    };
    let at = |lines: &[Contour]| -> Vec<Vec<[f32; 2]>> {
        let lines = lines.iter().filter(|line| line.index == 1);
        lines.map(|line| line.points.clone()).collect()
    };
    // Middle 0.6: the high corners are joined, the low ones are cut off.
    let joined = at(&cell(0.2));
    assert_eq!(joined.len(), 2);
    for line in &joined {
        let [from, to] = line[..] else { panic!() };
        let corner =
            |p: [f32; 2]| (p[0] > 0.5) != (p[1] > 0.5) || p.contains(&0.0) || p.contains(&1.0);
        assert!(corner(from) && corner(to));
        // Around b, in the north-east, or e, in the south-west.
        let middle = [(from[0] + to[0]) * 0.5, (from[1] + to[1]) * 0.5];
        assert!((middle[0] > 0.5) != (middle[1] > 0.5), "{middle:?}");
    }
    // Middle 0.4: the high corners stand alone.
    for line in at(&cell(-0.2)) {
        let [from, to] = line[..] else { panic!() };
        let middle = [(from[0] + to[0]) * 0.5, (from[1] + to[1]) * 0.5];
        assert!((middle[0] > 0.5) == (middle[1] > 0.5), "{middle:?}");
    }
}

#[test]
fn contours_close_or_end_at_the_border() {
    let land = landscape(&scene("surface.iterations=7 surface.hurst=0.5"));
    let map = &land.heights;
    let last = (map.rows() - 1) as f32;
    let lines = contours(map, 0.01);
    assert!(lines.len() > 100);
    let pieces: usize = lines.iter().map(|line| line.points.len() - 1).sum();
    let counted = count_segments(map, 0.01) as usize;
    assert!(
        counted.abs_diff(pieces) * 10 < counted,
        "{counted}, {pieces}"
    );
    for line in &lines {
        let level = line.index as f32 * 0.01;
        for [column, row] in &line.points {
            // On the ground, at its height.
            let (x, z) = (column / last * 2.0 - 1.0, row / last * 2.0 - 1.0);
            assert!((map.height_at(x, z) - level).abs() < 1e-4);
        }
        let (first, end) = (line.points[0], line.points[line.points.len() - 1]);
        if !line.closed {
            for end in [first, end] {
                assert!(end.iter().any(|at| *at == 0.0 || *at == last), "{end:?}");
            }
        }
    }
    // No line on ground without relief, on a ridge, or at no interval.
    let flat = Heightmap::new(3, 3, true, vec![0.5; 9]);
    assert!(contours(&flat, 0.5).is_empty());
    assert!(contours(&Heightmap::new(1, 3, false, vec![0.0, 1.0, 0.0]), 0.1).is_empty());
    assert!(contours(map, 0.0).is_empty() && contours(map, f64::NAN).is_empty());
    assert!(contours(map, 1e-30).is_empty());
}

#[test]
fn scaled_maps_keep_their_samples_or_their_mean() {
    let land = landscape(&scene("surface.iterations=6"));
    let map = &*land.heights;
    assert_eq!(at_scale(map, [64, 64]), *map);
    let finer = at_scale(map, [256, 128]);
    assert_eq!((finer.rows(), finer.columns()), (129, 257));
    for row in 0..=64 {
        for column in 0..=64 {
            assert_eq!(finer.at(2 * row, 4 * column), map.at(row, column));
        }
    }
    let mean = |map: &Heightmap| {
        let last = map.rows() - 1;
        let cells = (0..last).flat_map(|row| map.row(row)[..map.columns() - 1].to_vec());
        cells.map(f64::from).sum::<f64>() / (last * (map.columns() - 1)) as f64
    };
    let coarse = at_scale(map, [16, 16]);
    assert!((mean(&coarse) - mean(map)).abs() < 1e-6);
    for row in 0..=16 {
        assert_eq!(coarse.at(row, 0), coarse.at(row, 16));
        assert_eq!(coarse.at(0, row), coarse.at(16, row));
    }
    // A plane stays one, to its borders.
    let plane = self::map(65, false, |x, z| 0.3 * x + 0.1 * z);
    let coarse = at_scale(&plane, [10, 7]);
    for row in 0..=7 {
        for column in 0..=10 {
            let (x, z) = (column as f32 * 0.2 - 1.0, row as f32 / 3.5 - 1.0);
            assert!((coarse.at(row, column) - 0.3 * x - 0.1 * z).abs() < 0.01);
        }
    }
    assert_eq!(relief(map), *map);
}

#[test]
fn labels_lie_on_straight_lines_and_apart() {
    let wave: Vec<[f32; 2]> = (0..600)
        .map(|x| [x as f32, 100.0 + 30.0 * (x as f32 / 80.0).sin()])
        .collect();
    let level: Vec<[f32; 2]> = (0..600).map(|x| [x as f32, 104.0]).collect();
    let upright: Vec<[f32; 2]> = (0..190).rev().map(|y| [300.0, y as f32]).collect();
    let zigzag: Vec<[f32; 2]> = (0..150)
        .map(|x| [x as f32 * 4.0, 170.0 + (x % 2) as f32 * 9.0])
        .collect();
    let lines = [&wave, &level, &upright, &zigzag].map(|points| Line {
        points,
        width: 30.0,
    });
    let places = place_labels(&lines, 12.0, [600.0, 200.0]);
    assert!(places.iter().any(|place| place.line == 1));
    assert!(!places.iter().any(|place| place.line == 3));
    for place in &places {
        assert!(place.angle.abs() <= std::f32::consts::FRAC_PI_2 + 1e-6);
        assert!((15.0..=585.0).contains(&place.at[0]) && (6.0..=194.0).contains(&place.at[1]));
        if place.line == 1 {
            assert_eq!((place.angle, place.at[1]), (0.0, 104.0));
        }
        assert!(place.gap.1 - place.gap.0 > 30.0);
    }
    for (index, a) in places.iter().enumerate() {
        for b in &places[..index] {
            let distance = (a.at[0] - b.at[0]).hypot(a.at[1] - b.at[1]);
            assert!(distance > 12.0, "{a:?} {b:?}");
        }
    }
    // A short line has no room, and no line has none.
    let short = [Line {
        points: &level[..40],
        width: 30.0,
    }];
    assert!(place_labels(&short, 12.0, [600.0, 200.0]).is_empty());
    assert!(place_labels(&[], 12.0, [600.0, 200.0]).is_empty());
}

#[test]
fn a_plane_has_a_straight_profile() {
    let plane = map(17, false, |x, z| 0.25 * x + 0.5 * z);
    let section = Section {
        from: [-0.5, -0.5],
        to: [0.5, 0.5],
    };
    // A tile of 2000 m: a half tile is a kilometre.
    let cut = profile(&plane, &section, 1, 2000.0).unwrap();
    let length = 1000.0 * 2f64.sqrt();
    assert!((cut.length_m - length).abs() < 1e-6);
    assert!((cut.lowest_m + 375.0).abs() < 1e-3 && (cut.highest_m - 375.0).abs() < 1e-3);
    assert!((cut.ascent_m - 750.0).abs() < 1e-2 && cut.descent_m < 1e-2);
    assert!((cut.steepest - 750.0 / length).abs() < 1e-3);
    let middle = cut.at(length / 2.0);
    assert!(middle.height_m.abs() < 1e-3 && middle.place[0].abs() < 1e-6);
    assert_eq!(cut.at(-5.0), cut.points[0]);
    assert_eq!(cut.at(1e9).place, [0.5, 0.5]);
    let table = cut.to_csv();
    assert_eq!(table.lines().count(), cut.points.len() + 1);
    assert_eq!(table.lines().next(), Some("distance_m,height_m,x,z"));
    assert_eq!(
        table.lines().nth(1),
        Some("0.000,-375.000,-0.500000,-0.500000")
    );
}

#[test]
fn profiles_continue_across_tiles_to_the_last() {
    let land = landscape(&scene("surface.iterations=5"));
    let map = &*land.heights;
    let along = |from: f32, to: f32, tiles| {
        let section = Section {
            from: [from, 0.125],
            to: [to, 0.125],
        };
        profile(map, &section, tiles, 1000.0)
    };
    let (first, both) = (along(-1.0, 1.0, 1).unwrap(), along(-1.0, 3.0, 2).unwrap());
    assert!((both.length_m - 2.0 * first.length_m).abs() < 1e-3);
    for step in 0..=100 {
        let at = first.length_m * f64::from(step) / 100.0;
        let heights = [first.at(at), both.at(at), both.at(at + first.length_m)];
        let heights = heights.map(|point| point.height_m);
        assert!((heights[0] - heights[1]).abs() < 3.0, "{heights:?}");
        assert!((heights[0] - heights[2]).abs() < 3.0, "{heights:?}");
    }
    // Cut off where the map ends; beside it there is none.
    let cut = along(0.0, 3.0, 1).unwrap();
    assert!((cut.length_m - 500.0).abs() < 1e-3);
    assert_eq!(cut.points[cut.points.len() - 1].place, [1.0, 0.125]);
    assert!(along(1.5, 3.0, 1).is_none());
    assert!(along(0.5, 0.5, 1).is_none());
    // The length is finite, however long the line.
    assert!(along(-1.0, 31.0, 16).unwrap().points.len() <= MOST_POINTS);
    let ridge = Heightmap::new(1, 3, false, vec![0.0, 1.0, 0.0]);
    let any = Section {
        from: [-1.0, 0.0],
        to: [1.0, 0.0],
    };
    assert!(profile(&ridge, &any, 1, 1000.0).is_none());
}

#[test]
fn section_is_checked_and_written_only_when_drawn() {
    let scene = Scene::default();
    assert!(!scene.to_toml().contains("[section]"));
    assert!(!scene.needs_relief());
    let drawn = scene.with("section.to", "[0.5, -1]").unwrap();
    assert_eq!(drawn.section.to, [0.5, -1.0]);
    assert_eq!(Scene::parse(&drawn.to_toml()).unwrap(), drawn);
    for (key, value, words) in [
        (
            "section.from",
            "[0, 32]",
            "section.from is [0.0, 32.0]; allowed: -1 to 31",
        ),
        (
            "section.to",
            "[nan, 0]",
            "section.to is [NaN, 0.0]; allowed: -1 to 31",
        ),
        (
            "analysis.contour_interval",
            "-1",
            "analysis.contour_interval is -1; allowed: 0 to 10000",
        ),
    ] {
        let error = scene.with(key, value).unwrap_err();
        assert_eq!(error.to_string(), words);
    }
    let error = scene.with("analysis.color", "steepness").unwrap_err();
    assert!(
        error.to_string().contains("height, slope, aspect"),
        "{error}"
    );
}
