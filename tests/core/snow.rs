//! Snow falls, drifts, slides and melts; it lies the same on every level, and in pictures and files.

use landform::grid::Region;
use landform::heightmap::{Heightmap, Validity};
use landform::import::Preset;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::maps::{Kind, Map, Relief};
use landform::material::{Albedo, MaterialNormals};
use landform::pipeline::{self, Pipeline};
use landform::rng::{Rng, Stage, Stream};
use landform::scene::Scene;
use landform::snow::{self, Snow, SnowAmount, SnowCover, Steps};
use landform::texture::Palette;

/// A scene with snow everywhere, 1 m on level ground, of which none melts, on a tile of 100 m; with these settings.
fn snowy(settings: &[(&str, &str)]) -> Scene {
    let always = [
        ("view.render_type", "landscape"),
        ("surface.tile_size_m", "100"),
        ("snow.enabled", "true"),
        ("snow.fall", "1"),
        ("snow.line", "-100"),
        ("snow.wind", "0"),
        ("snow.melt", "0"),
    ];
    let all = always.iter().chain(settings);
    all.fold(Scene::default(), |scene, (key, value)| {
        scene.with(key, value).unwrap()
    })
}

/// A map of so many samples a side, with heights in metres of a place in metres from the north-west.
fn land(side: usize, wraps: bool, height: impl Fn(f32, f32) -> f32) -> Heightmap {
    let step = 100.0 / (side - 1) as f32;
    let rows = (0..side).flat_map(|row| (0..side).map(move |column| (row, column)));
    let cells = if wraps { side - 1 } else { side };
    let heights = rows.map(|(row, column)| {
        let [x, z] = [column, row].map(|at| (at % cells) as f32 * step);
        height(x, z) / 50.0
    });
    Heightmap::new(side, side, wraps, heights.collect::<Vec<_>>())
}

fn fallen(map: &Heightmap, scene: &Scene) -> Snow {
    let snow = snow::on(map, None, scene, &Job::new()).unwrap();
    snow.expect("some stays")
}

/// Steps from sample to sample of a level that has so many cells a side.
fn steps(snow: &Snow, cells: usize, first: i64) -> [Steps; 2] {
    [1, 0].map(|axis| {
        let by = snow.cells()[axis] / cells as f64;
        let first = first as f64 * by;
        Steps { first, by }
    })
}

/// Depths in metres at the samples of a map.
fn depths(map: &Heightmap, snow: &Snow) -> Vec<f64> {
    let mut depths: Vec<f64> = map.heights().iter().copied().map(f64::from).collect();
    let [down, across] = steps(snow, map.columns() - 1, 0);
    snow.depths(down, across, map.columns(), &mut depths);
    depths.iter().map(|depth| depth * 50.0).collect()
}

/// Rough hills, which have hollows.
fn rough(side: usize, wraps: bool) -> Heightmap {
    let stream = Stream::new(5, Stage::MaskNoise, 0);
    let cells = side - usize::from(wraps);
    let numbers: Vec<Vec<f32>> = (0..cells)
        .map(|row| {
            let mut row = stream.row(row as u64);
            (0..cells)
                .map(|_| (row.next_u32() >> 8) as f32 / 16_777_216.0)
                .collect()
        })
        .collect();
    let step = 100.0 / (side - 1) as f32;
    land(side, wraps, |x, z| {
        let wave = |at: f32| (at * std::f32::consts::TAU / 50.0).sin();
        let [row, column] = [z, x].map(|at| (at / step).round() as usize % cells);
        15.0 * wave(x) * wave(z) + 2.0 * numbers[row][column]
    })
}

#[test]
fn level_ground_has_the_depth_of_the_fall() {
    let map = land(65, true, |_, _| 7.0);
    for depth in depths(&map, &fallen(&map, &snowy(&[]))) {
        assert!((depth - 1.0).abs() < 1e-3, "{depth}");
    }
    // However little slopes hold.
    let slippery = snowy(&[("snow.fall", "10"), ("snow.hold", "0")]);
    for depth in depths(&map, &fallen(&map, &slippery)) {
        assert!((depth - 5.0).abs() < 1e-3, "{depth}");
    }
    let melting = snowy(&[("snow.melt", "1"), ("snow.fade", "0.001")]);
    for depth in depths(&map, &fallen(&map, &melting)) {
        assert!((0.6..0.7).contains(&depth), "{depth}");
    }
}

#[test]
fn there_is_none_below_the_snow_line_nor_without_snow() {
    let map = land(65, false, |x, _| x);
    let job = Job::new();
    let above = snowy(&[
        ("snow.line", "1"),
        ("snow.fade", "0.001"),
        ("snow.hold", "1000"),
    ]);
    for (index, depth) in depths(&map, &fallen(&map, &above)).into_iter().enumerate() {
        let height = index % 65;
        match height {
            ..=29 => assert_eq!(depth, 0.0, "{height}"),
            35.. => assert!(depth > 0.8, "{height}: {depth}"),
            _ => {}
        }
    }
    for settings in [[("snow.line", "900")], [("snow.enabled", "false")]] {
        let scene = snowy(&settings);
        assert!(snow::on(&map, None, &scene, &job).unwrap().is_none());
    }
    let profile = Heightmap::new(1, 65, false, vec![0.0; 65]);
    assert!(
        snow::on(&profile, None, &snowy(&[]), &job)
            .unwrap()
            .is_none()
    );
}

#[test]
fn steep_ground_holds_what_its_slope_says() {
    // Slopes of 30°, 45° and 60°, between which snow goes down to the border.
    for (slope, held) in [(30.0_f32, 0.2 * 2.25), (45.0, 0.2), (60.0, 0.2 * 0.5625)] {
        let map = land(65, false, |x, _| x * slope.to_radians().tan());
        let scene = snowy(&[("snow.hold", "0.2")]);
        let depths = depths(&map, &fallen(&map, &scene));
        let middle = depths[32 * 65 + 32];
        // A hundredth of what slides by stays, and walls above 55° hold less.
        assert!(
            (held * 0.6..held + 0.5).contains(&middle),
            "{slope}: {middle}"
        );
    }
    let wall = land(65, false, |x, _| x * 4.0);
    let left = depths(&wall, &fallen(&wall, &snowy(&[("snow.hold", "0.2")])));
    assert!(left[32 * 65 + 32] < 0.4, "{}", left[32 * 65 + 32]);
}

#[test]
fn snow_that_slides_is_neither_made_nor_lost() {
    // A bowl with steep sides, level at the border.
    let map = land(129, false, |x, z| {
        let away = ((x - 50.0).powi(2) + (z - 50.0).powi(2)).sqrt();
        away.min(40.0) * 1.2
    });
    let scene = snowy(&[("snow.hold", "0.3")]);
    let mean = |depths: Vec<f64>| depths.iter().sum::<f64>() / depths.len() as f64;
    let all = depths(&map, &fallen(&map, &scene));
    let middle = all[64 * 129 + 64];
    assert!(middle > 4.0, "{middle}");
    let held = mean(all);
    assert!((held - 1.0).abs() < 0.05, "{held}");
}

#[test]
fn hollows_fill_level_and_overflow_without_towers() {
    for wraps in [false, true] {
        let map = rough(129, wraps);
        let scene = snowy(&[("snow.fall", "2"), ("snow.hold", "0.1")]);
        let snow = fallen(&map, &scene);
        let surface = snow_surface(&map, &snow);
        let step = 100.0 / 128.0;
        let mut steepest = 0.0_f64;
        for row in 1..128 {
            for column in 1..128 {
                let at = |row: usize, column: usize| surface[row * 129 + column] * 50.0;
                let beside = [
                    at(row - 1, column),
                    at(row + 1, column),
                    at(row, column - 1),
                    at(row, column + 1),
                ];
                let highest = beside.into_iter().fold(f64::MIN, f64::max);
                steepest = steepest.max((at(row, column) - highest) / step);
            }
        }
        // No sample is above all its neighbours by more than the ground's own are.
        assert!(steepest < 2.6, "{wraps}: {steepest}");
    }
}

fn snow_surface(map: &Heightmap, snow: &Snow) -> Vec<f64> {
    let mut heights: Vec<f64> = map.heights().iter().copied().map(f64::from).collect();
    let [down, across] = steps(snow, map.columns() - 1, 0);
    snow.lay(down, across, map.columns(), &mut heights);
    heights
}

#[test]
fn wind_leaves_snow_in_the_lee() {
    // Ridges from north to south.
    let map = land(129, true, |x, _| {
        8.0 * (x * std::f32::consts::TAU / 50.0).cos()
    });
    let scene = snowy(&[("snow.wind", "1"), ("snow.hold", "1000")]);
    let depths = depths(&map, &fallen(&map, &scene));
    let mean = |columns: std::ops::Range<usize>| {
        let row = &depths[64 * 129..][..129];
        let part = &row[columns];
        part.iter().sum::<f64>() / part.len() as f64
    };
    // The slope that falls eastwards from the ridge at 0 lies in the lee of the west wind; that which rises to the
    // ridge at 50 m faces it.
    let [lee, luff] = [mean(8..24), mean(40..56)];
    assert!(lee > 1.5 * luff, "{lee} {luff}");
    let east = snowy(&[
        ("snow.wind", "1"),
        ("snow.hold", "1000"),
        ("snow.wind_bearing", "90"),
    ]);
    let turned = self::depths(&map, &fallen(&map, &east));
    let row = &turned[64 * 129..][..129];
    assert!(row[48] > 1.5 * row[16], "{} {}", row[48], row[16]);
}

#[test]
fn the_sun_melts_southern_slopes_first_and_in_the_south_northern_ones() {
    let map = land(129, true, |_, z| {
        8.0 * (z * std::f32::consts::TAU / 50.0).cos()
    });
    for (latitude, sunny, shady) in [("47", 16, 48), ("-47", 48, 16)] {
        let scene = snowy(&[
            ("snow.melt", "0.8"),
            ("snow.hold", "1000"),
            ("light.by", "time"),
            ("light.latitude", latitude),
        ]);
        let depths = depths(&map, &fallen(&map, &scene));
        let [sunny, shady] = [sunny, shady].map(|row| depths[row * 129 + 64]);
        assert!(shady > sunny + 0.1, "{latitude}: {sunny} {shady}");
    }
}

#[test]
fn there_is_no_snow_on_water_and_where_there_is_no_data() {
    let mut scene = snowy(&[("water.enabled", "true"), ("water.level", "0.5")]);
    let map = land(129, false, |x, _| if x < 50.0 { 10.0 } else { 40.0 });
    let depths_on_sea = depths(&map, &fallen(&map, &scene));
    assert_eq!(depths_on_sea[64 * 129 + 30], 0.0);
    assert!(depths_on_sea[64 * 129 + 100] > 0.9);
    scene.water.enabled = false;
    let valid = Validity::new(129, 129, |_, column| column >= 64);
    let map = land(129, false, |_, _| 10.0).with_valid(Some(valid.into()));
    let with_holes = depths(&map, &fallen(&map, &scene));
    assert_eq!(with_holes[64 * 129 + 30], 0.0);
    assert!(with_holes[64 * 129 + 100] > 0.9);
}

#[test]
fn snow_is_independent_of_thread_count() {
    let map = rough(257, true);
    let scene = snowy(&[("snow.wind", "0.5"), ("snow.melt", "0.5")]);
    let made = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| {
            let snow = fallen(&map, &scene);
            let surface = snow_surface(&map, &snow);
            (snow, surface)
        })
    };
    let one = made(1);
    assert!(made(2) == one);
    assert!(made(7) == one);
}

#[test]
fn snow_on_a_map_that_wraps_wraps() {
    let map = rough(129, true);
    let surface = snow_surface(&map, &fallen(&map, &snowy(&[])));
    for at in 0..129 {
        assert_eq!(surface[at], surface[128 * 129 + at], "column {at}");
        assert_eq!(surface[at * 129], surface[at * 129 + 128], "row {at}");
    }
}

#[test]
fn samples_of_coarser_levels_stay_and_windows_equal_the_whole() {
    let map = rough(65, true);
    let snow = fallen(&map, &snowy(&[]));
    let ground = |place: f64| (place * 3.7).sin() * 0.002;
    let window = |cells: usize, row: i64, column: i64, count: usize| -> Vec<f64> {
        let scale = 64.0 / cells as f64;
        let places = (0..count).flat_map(|r| (0..count).map(move |c| (r, c)));
        let height = |(r, c): (usize, usize)| {
            let [row, column] = [row + r as i64, column + c as i64].map(|at| at as f64 * scale);
            ground(row) + ground(column + 17.0)
        };
        let mut heights: Vec<f64> = places.map(height).collect();
        let [down, across] = [steps(&snow, cells, row)[0], steps(&snow, cells, column)[1]];
        snow.lay(down, across, count, &mut heights);
        heights
    };
    let whole = window(256, 0, 0, 257);
    let finer = window(512, 0, 0, 513);
    for row in 0..257 {
        for column in 0..257 {
            assert_eq!(whole[row * 257 + column], finer[2 * row * 513 + 2 * column]);
        }
    }
    for [row, column] in [[3, 100], [250, 482], [481, 7]] {
        let part = window(512, row, column, 31);
        for r in 0..31 {
            let first = (row as usize + r) * 513 + column as usize;
            assert_eq!(part[r * 31..][..31], finer[first..][..31], "row {r}");
        }
    }
}

#[test]
fn pictures_walks_and_files_have_the_same_snow() {
    let mut scene = Preset::named("alpine").unwrap().scene();
    scene.surface.iterations = 6;
    scene.snow.enabled = true;
    scene.snow.line = -0.3;
    let (inputs, job) = (Inputs::default(), Job::new());
    let made = Pipeline::default().run(&scene, &inputs, &job).unwrap();
    let snow = made.snow.as_ref().expect("snow");
    assert!(std::sync::Arc::ptr_eq(made.surface(), &snow.surface));
    let below = made.below.as_ref().unwrap();
    let lattice = pipeline::Lattice::new(below, 1).unwrap();
    let side = made.heights.columns();
    let all = landform::fractal::region::Window {
        row: 0,
        column: 0,
        rows: side,
        columns: side,
    };
    let walked = lattice.heights(lattice.level(), all);
    for (walked, drawn) in walked.iter().zip(snow.surface.heights()) {
        assert!(
            (walked - f64::from(*drawn)).abs() < 1e-6,
            "{walked} {drawn}"
        );
    }
    // On the finer level the samples of the map are where they were.
    let finer = landform::fractal::region::Window {
        rows: 2 * side - 1,
        columns: 2 * side - 1,
        ..all
    };
    let finer_heights = lattice.heights(lattice.level() + 1, finer);
    for row in 0..side {
        for column in 0..side {
            let at = 2 * row * finer.columns + 2 * column;
            assert_eq!(finer_heights[at], walked[row * side + column]);
        }
    }
    let covered = snow.cover.as_slice().iter().filter(|cover| **cover > 128);
    assert!(covered.count() > side * side / 3);
}

#[test]
fn extreme_settings_give_a_sensible_result() {
    let maps = [
        land(2, false, |x, _| x),
        land(3, true, |_, _| 0.0),
        rough(33, true),
        Heightmap::new(2, 17, false, vec![1000.0; 34]),
    ];
    let settings: [&[(&str, &str)]; 5] = [
        &[("surface.tile_size_m", "0.001")],
        &[("surface.tile_size_m", "1e9")],
        &[("snow.fall", "1000"), ("snow.hold", "0")],
        &[("snow.fall", "0.01"), ("snow.melt", "1000")],
        &[
            ("snow.wind", "1"),
            ("snow.fade", "1000"),
            ("snow.line", "-1000"),
        ],
    ];
    for map in &maps {
        for settings in settings {
            let scene = snowy(settings);
            if let Some(snow) = snow::on(map, None, &scene, &Job::new()).unwrap() {
                for (raised, ground) in snow_surface(map, &snow).iter().zip(map.heights()) {
                    assert!(
                        raised.is_finite() && *raised >= f64::from(*ground),
                        "{settings:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn cancelled_snow_ends() {
    let job = Job::new();
    job.cancel();
    assert!(snow::on(&rough(129, true), None, &snowy(&[]), &job).is_err());
}

/// Amount of the snow on a map, with depths in metres.
fn amount(map: &Heightmap, scene: &Scene) -> SnowAmount {
    let snow = SnowCover::on(map, scene, &Job::new()).unwrap().unwrap();
    SnowAmount {
        mean_depth: snow.amount.mean_depth * 50.0,
        greatest_depth: snow.amount.greatest_depth * 50.0,
        per_area: snow.amount.per_area * 50.0,
        ..snow.amount
    }
}

#[test]
fn amount_is_measured_where_there_is_data() {
    let level = land(65, true, |_, _| 7.0);
    let all = amount(&level, &snowy(&[]));
    let depths = [all.mean_depth, all.greatest_depth, all.per_area];
    assert_eq!(all.covered, 1.0);
    for depth in depths {
        assert!((depth - 1.0).abs() < 1e-3, "{depths:?}");
    }
    // A fall of 5 m lies on the eastern half, and none in the sea.
    let coast = land(65, false, |x, _| if x < 50.0 { -1.0 } else { 1.0 });
    let deep = [
        ("snow.fall", "5"),
        ("snow.hold", "1000"),
        ("water.enabled", "true"),
        ("water.level", "0"),
    ];
    let half = amount(&coast, &snowy(&deep));
    assert!((half.covered - 0.5).abs() < 0.05, "{half:?}");
    assert!((half.greatest_depth - 5.0).abs() < 0.02, "{half:?}");
    assert!((half.per_area - 2.5).abs() < 0.1, "{half:?}");
    assert!((4.5..5.0).contains(&half.mean_depth), "{half:?}");
    // The sea has no data now.
    let valid = Validity::new(65, 65, |_, column| column >= 33);
    let coast = coast.with_valid(Some(valid.into()));
    let rest = amount(&coast, &snowy(&deep));
    assert!(rest.covered > 0.95, "{rest:?}");
    assert!(rest.per_area > 4.5, "{rest:?}");
}

#[test]
fn albedo_takes_the_slope_of_the_snow() {
    let job = Job::new();
    let scene = snowy(&[("snow.fall", "0.6"), ("snow.hold", "0.4")]);
    let Kind::Paint(paint) = Map::named("albedo").unwrap().kind else {
        panic!("the albedo is painted");
    };
    for wraps in [false, true] {
        let map = rough(129, wraps);
        let snow = SnowCover::on(&map, &scene, &job).unwrap().unwrap();
        let normals = MaterialNormals::of(&map);
        let (range, palette) = (map.range(), &Palette::builtin()[0]);
        let albedo = Albedo::of(&scene, palette, range, None, Some(&normals), Some(&snow));
        let painted = |relief: &Relief<'_>| paint(relief, &albedo, &job).unwrap();
        let whole = Relief::of(&map, 100.0);
        let all = painted(&whole);
        let differs = |one: [u8; 3], other: [u8; 3]| {
            let pairs = one.into_iter().zip(other);
            pairs.map(|(one, other)| one.abs_diff(other)).max().unwrap()
        };
        let mut changed = 0;
        for (index, color) in all.iter().enumerate() {
            let (row, column) = (index / 129, index % 129);
            let (height, place) = (map.at(row, column), whole.place(row, column));
            let own = || map.normal(row, column);
            let surface = || snow.surface.normal(row, column);
            let expected = albedo.color_in_snow(height, own, surface, place);
            assert!(differs(*color, expected) <= 2, "{row} {column}");
            changed += usize::from(differs(*color, albedo.color(height, own, place)) > 10);
        }
        // By the slope of the ground below there would be spots.
        assert!(changed > 100, "{changed}");
        let region = Region {
            row: 30,
            column: 20,
            rows: 9,
            columns: 40,
        };
        let part = painted(&Relief::new(&map, region, map.spacing(), 100.0));
        for (row, line) in part.chunks(40).enumerate() {
            assert_eq!(line, &all[(30 + row) * 129 + 20..][..40]);
        }
    }
}
