//! The shape of samples and of maps.

use super::*;

#[test]
fn samples_that_are_not_square_become_so() {
    let folder = folder();
    let path = folder.path().join("x.tif");
    let heights = [0.0, 10.0, 20.0, 60.0, 70.0, 80.0];
    let place = Place {
        scale: &[30.0, 60.0, 0.0],
        ..Place::default()
    };
    write_tiff(&path, 3, &heights, &place);
    let samples = import::samples(&path).unwrap();
    assert_eq!((samples.grid.rows(), samples.grid.columns()), (3, 3));
    assert_eq!(samples.tile_size_m, Some(60.0));
    for (row, wanted) in [[0.0, 10.0, 20.0], [30.0, 40.0, 50.0], [60.0, 70.0, 80.0]]
        .iter()
        .enumerate()
    {
        for (column, wanted) in wanted.iter().enumerate() {
            assert_near(metres(&samples, row, column), *wanted);
        }
    }
    let notices = samples.notices(&path, None);
    assert!(notices[0].contains("30 m apart eastwards and 60 m southwards"));
    assert!(
        notices[0].contains("3 × 2 were resampled to 3 × 3"),
        "{notices:?}"
    );
    // What the user says counts, whatever the file says.
    let (facts, _) = facts(folder.path(), "x.tif --input-spacing 20 -o y.r32");
    assert_eq!((&facts["width"], &facts["height"]), (&3.into(), &2.into()));
    assert_near(facts["max_m"].as_f64().unwrap(), 80.0);
    let sidecar = fs::read(folder.path().join("y.r32.json")).unwrap();
    let sidecar: Value = serde_json::from_slice(&sidecar).unwrap();
    assert_eq!(sidecar["metres_per_sample"], 20.0);
}

#[test]
fn transformation_gives_size_and_may_start_south() {
    let folder = folder();
    let path = folder.path().join("x.tif");
    let transformation = |e: f64, y: f64| {
        let mut matrix = [0.0; 16];
        (matrix[0], matrix[3], matrix[5], matrix[7]) = (25.0, 500_000.0, e, y);
        matrix[15] = 1.0;
        matrix
    };
    for (e, y, north_west) in [(-25.0, 5_000_050.0, 0.0), (25.0, 5_000_000.0, 3.0)] {
        let matrix = transformation(e, y);
        let place = Place {
            transformation: &matrix,
            ..Place::default()
        };
        write_tiff(&path, 3, &counted(6), &place);
        let samples = import::samples(&path).unwrap();
        assert_eq!(samples.tile_size_m, Some(50.0));
        assert_near(metres(&samples, 0, 0), north_west);
        let place = samples.place.unwrap();
        assert_eq!(place.origin, [500_012.5, 5_000_037.5]);
    }
}

#[test]
fn a_turned_map_is_warped_and_told_of() {
    if landform::gdal::Gdal::find().is_err() {
        return;
    }
    let folder = folder();
    let path = folder.path().join("x.tif");
    let (sin, cos) = 30_f64.to_radians().sin_cos();
    let [east, south] = [[20.0 * cos, 20.0 * sin], [20.0 * sin, -20.0 * cos]];
    let mut matrix = [0.0; 16];
    (matrix[0], matrix[1], matrix[3]) = (east[0], south[0], 500_000.0);
    (matrix[4], matrix[5], matrix[7]) = (east[1], south[1], 5_000_000.0);
    matrix[15] = 1.0;
    let place = Place {
        transformation: &matrix,
        keys: &utm_32(),
        ..Place::default()
    };
    // Metres rise by 1 for each 10 m eastwards.
    let value = |at: usize| {
        let (row, column) = ((at / 21) as f64, (at % 21) as f64);
        (500.0 + (column * east[0] + row * south[0]) / 10.0) as f32
    };
    let values: Vec<f32> = (0..21 * 21).map(value).collect();
    write_tiff(&path, 21, &values, &place);
    let samples = import::samples(&path).unwrap();
    let notices = samples.notices(&path, None).join("\n");
    assert!(
        notices.contains("gdalwarp has turned and resampled it"),
        "{notices}"
    );
    // The corners of an upright map lie outside a turned one.
    assert!(samples.filled > 0);
    let (row, column) = (samples.grid.rows() / 2, samples.grid.columns() / 2);
    let step = f64::from(samples.tile_size_m.unwrap())
        / (samples.grid.rows().max(samples.grid.columns()) - 1) as f64;
    let rise = metres(&samples, row, column + 5) - metres(&samples, row, column);
    assert!(
        (rise - 5.0 * step / 10.0).abs() < 0.05,
        "{rise} in five steps of {step} m"
    );
}

/// The keys of ETRS89 / UTM zone 32N.
fn utm_32() -> Vec<u16> {
    directory(&[[1024, 0, 1, 1], [1025, 0, 1, 1], [3072, 0, 1, 25_832]])
}
